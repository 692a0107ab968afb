import type { Quarantine } from '@tickrate/pipeline';

export interface RejectedOfAccount {
  readonly quarantine: Record<string, number>;
  readonly deadLetters: Record<string, number>;
}

/** How many events of an account were rejected or are dead letters, by type; '' for events without a type. */
export async function countRejected(
  quarantine: Pick<Quarantine, 'exportAccount'>,
  projectId: string,
  accountId: string,
): Promise<RejectedOfAccount> {
  const counts: RejectedOfAccount = { quarantine: {}, deadLetters: {} };
  const count = (store: keyof RejectedOfAccount, type: string) => {
    counts[store][type] = (counts[store][type] ?? 0) + 1;
  };
  for await (const entry of quarantine.exportAccount(projectId, accountId)) {
    if (entry.kind === 'rejected') count('quarantine', entry.type ?? '');
    else for (const { type } of entry.events ?? []) count('deadLetters', type);
  }
  return counts;
}
