import type { ErasureCertificate } from '@tickrate/contract';
import type { ErasureWork, LeasedErasure, Quarantine, RejectedCounts } from '@tickrate/pipeline';
import type { Warehouse } from '@tickrate/warehouse';
import type { PersonalPaths } from './personal-paths.ts';

export interface EraseAccountDeps {
  readonly work: ErasureWork;
  readonly warehouse: Pick<Warehouse, 'countAccount' | 'copyMasked' | 'removeAccounts' | 'removeViews'>;
  readonly quarantine: Pick<Quarantine, 'eraseAccount' | 'exportAccount' | 'eraseProject' | 'countProject'>;
  /** Removes everything of a deleted project from PostgreSQL, and counts it. */
  removeProjectRows(erasure: Pick<LeasedErasure, 'id' | 'projectId'>): Promise<void>;
  personalPaths(projectId: string): Promise<PersonalPaths>;
  settledUntilMs(): Promise<number>;
  readonly marginMs: number;
}

/** More data of the account was found after the removal: the removal starts again, later. */
class SomethingIsLeft extends Error {
  override readonly name = 'SomethingIsLeft';
}

/** The account, or with null the project, and the events to erase. */
export interface EventsToRemove {
  readonly projectId: string;
  readonly accountId: string | null;
  readonly receivedUntilMs: number;
}

/**
 * Continues an erasure from any state until its events can be removed. Every step can be repeated, and is recorded
 * before the next one begins. Null if it must wait for events that are not stored yet.
 */
export async function prepareErasure(
  deps: EraseAccountDeps,
  erasure: LeasedErasure,
  signal: AbortSignal,
): Promise<EventsToRemove | null> {
  const { id, projectId, accountId, mode } = erasure;
  const { work, warehouse } = deps;
  let { state } = erasure;
  if (state === 'requested') {
    if (accountId === null) await deps.removeProjectRows(erasure);
    else await work.accountRemoved(id);
    await cleanRejected(deps, erasure, 'first');
    state = 'waiting';
  }
  const receivedUntilMs = erasure.receivedUntilMs ?? (await fix(deps, id));
  if (receivedUntilMs === null) return null;
  const account = { projectId, accountId, receivedUntilMs };
  if (state === 'waiting' || state === 'counting') {
    const events = await warehouse.countAccount(account);
    state = mode === 'mask' ? 'copying' : 'removing';
    await work.counted(id, Object.fromEntries(events), state);
  }
  if (state === 'copying' && accountId !== null) {
    const personalPaths = await deps.personalPaths(projectId);
    await warehouse.copyMasked({ ...account, accountId }, { name: id, personalPaths, signal });
    await work.copied(id);
  }
  return account;
}

/** After the removal of the events: deletes later data, counts, certifies. Null if it must be checked again. */
export async function finishErasure(
  deps: EraseAccountDeps,
  erasure: LeasedErasure,
  account: EventsToRemove,
): Promise<ErasureCertificate | null> {
  if (account.accountId === null) {
    // A sign-in that was in progress may have left rows.
    await deps.removeProjectRows(erasure);
    await deps.warehouse.removeViews(account.projectId);
  }
  await cleanRejected(deps, erasure, 'last');
  return certify(deps, erasure, account);
}

async function fix({ work, settledUntilMs, marginMs }: EraseAccountDeps, id: string): Promise<number | null> {
  return work.fix(id, { settledUntilMs: await settledUntilMs(), marginMs });
}

/** Rejected events and dead letters of any time. */
async function cleanRejected(
  { work, quarantine }: EraseAccountDeps,
  { id, projectId, accountId }: LeasedErasure,
  which: 'first' | 'last',
): Promise<void> {
  await work.rejectedCounted(id, which, await countRejected(quarantine, projectId, accountId));
  let unreadable = 0;
  if (accountId === null) await quarantine.eraseProject(projectId);
  else unreadable = (await quarantine.eraseAccount(projectId, accountId)).emptied;
  await work.rejectedRemoved(id, unreadable);
}

async function certify(
  { work, warehouse, quarantine, settledUntilMs }: EraseAccountDeps,
  { id, projectId, accountId }: LeasedErasure,
  account: EventsToRemove,
): Promise<ErasureCertificate | null> {
  if ((await settledUntilMs()) < account.receivedUntilMs) return null;
  const events = Object.fromEntries(await warehouse.countAccount(account));
  const remaining = {
    account: await work.accountLeft(id),
    events,
    ...(await countRejected(quarantine, projectId, accountId)),
    unreadableDeadLetters: 0,
  };
  const { account: rows, quarantine: rejected, deadLetters } = remaining;
  const left = [rows, events, rejected, deadLetters].flatMap((counts) => Object.values(counts));
  if (left.length > 0) throw new SomethingIsLeft(`${left.reduce((a, b) => a + b)} events or rows are left`);
  return work.complete(id, remaining);
}

/** How many events of an account, or with null of the project, were rejected or are dead letters, by type; '' for events without a type. */
async function countRejected(
  quarantine: Pick<Quarantine, 'exportAccount' | 'countProject'>,
  projectId: string,
  accountId: string | null,
): Promise<RejectedCounts> {
  if (accountId === null) return quarantine.countProject(projectId);
  const counts: Record<keyof RejectedCounts, Record<string, number>> = { quarantine: {}, deadLetters: {} };
  const count = (store: keyof RejectedCounts, type: string) => {
    counts[store][type] = (counts[store][type] ?? 0) + 1;
  };
  for await (const entry of quarantine.exportAccount(projectId, accountId)) {
    if (entry.kind === 'rejected') count('quarantine', entry.type ?? '');
    else for (const { type } of entry.events ?? []) count('deadLetters', type);
  }
  return counts;
}
