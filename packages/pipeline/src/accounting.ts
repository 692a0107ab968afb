import type { Ledger } from './ledger.ts';
import type { PendingEvents } from './queue-monitor.ts';

/** Where the events of a project are, since the beginning. */
export interface ProjectAccount {
  readonly accepted: number;
  readonly stored: number;
  readonly pending: number;
  readonly deduplicated: number;
  readonly dead: number;
  /** Accepted and nowhere. Anything but 0 is the alarm; null while the queue is too deep to be read. */
  readonly missing: number | null;
}

/**
 * Read in the order in which events travel, each place after the one before it: an event that moves on
 * meanwhile is seen twice, never nowhere, so traffic alone never looks like a loss.
 */
export async function readAccounts(sources: {
  readonly ledger: Pick<Ledger, 'accepted' | 'totals'>;
  pending(): Promise<PendingEvents>;
}): Promise<Map<string, ProjectAccount>> {
  const accepted = await sources.ledger.accepted();
  const pending = await sources.pending();
  const totals = await sources.ledger.totals();
  const projects = new Set([...accepted.keys(), ...pending.byProject.keys(), ...totals.keys()]);
  const accounts = new Map<string, ProjectAccount>();
  for (const project of projects) {
    const { stored, deduplicated, dead } = totals.get(project) ?? { stored: 0, deduplicated: 0, dead: 0 };
    const parts = { stored, pending: pending.byProject.get(project) ?? 0, deduplicated, dead };
    const known = accepted.get(project) ?? 0;
    const missing = Math.max(0, known - stored - parts.pending - deduplicated - dead);
    accounts.set(project, { accepted: known, ...parts, missing: pending.complete ? missing : null });
  }
  return accounts;
}
