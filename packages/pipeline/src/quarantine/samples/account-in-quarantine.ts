import type { Postgres, Queryable } from '@tickrate/postgres';
import { countTypes, type DeadPayload, decodeDeadRows, frameOfRows, mentions } from '../reading/dead-rows.ts';
import { findQuarantined } from '../reading/find-quarantined.ts';
import type { Quarantined } from '../reading/quarantined.ts';
import { walkQuarantined } from '../reading/read-quarantined.ts';

/** The removed data of an account. */
export interface ErasedFromQuarantine {
  /** The number of rejected events, including replayed ones. */
  readonly rejected: number;
  /** Rows removed from dead letters. They still count as dead: they were accepted and will never be stored. */
  readonly deadRows: number;
  /** Payloads that cannot be read as rows but contain the id of the account. They were emptied. */
  readonly emptied: number;
}

export interface AccountOfProject {
  readonly projectId: string;
  readonly accountId: string;
}

/** Safe to repeat. Each dead letter is rewritten in one transaction. */
export async function eraseAccount(db: Postgres, account: AccountOfProject): Promise<ErasedFromQuarantine> {
  const { projectId, accountId } = account;
  const rejected = await db.query(
    'DELETE FROM delivery.rejected_events WHERE project = $1 AND account_id = $2 RETURNING id',
    [projectId, accountId],
  );
  let [deadRows, emptied] = [0, 0];
  for await (const id of letterIds(db, projectId)) {
    const erased = await eraseIn(db, letterTable, { id, account });
    deadRows += erased.rows;
    emptied += erased.emptied;
  }
  const staged = await db.query<{ chunk: string }>('SELECT chunk FROM delivery.replays WHERE project = $1', [
    projectId,
  ]);
  for (const { chunk } of staged) await eraseIn(db, replayTable, { id: chunk, account });
  return { rejected: rejected.length, deadRows, emptied };
}

/** The entries of an account. Of dead letters, only its own rows. */
export async function* exportAccount(
  db: Queryable,
  { projectId, accountId }: AccountOfProject,
): AsyncGenerator<Quarantined> {
  for await (const entry of walkQuarantined(db, { projectId, state: 'any' })) {
    if (entry.kind === 'rejected') {
      if (entry.accountId === accountId) yield entry;
      continue;
    }
    const events = entry.events?.filter((event) => event.accountId === accountId) ?? [];
    if (events.length > 0) yield { ...entry, rows: events.length, events };
  }
}

async function* letterIds(db: Queryable, projectId: string): AsyncGenerator<string> {
  for (let after: string | null | undefined; after !== null; ) {
    const page = await findQuarantined(db, { projectId, kind: 'dead', state: 'any', after, limit: 500 });
    for (const { id } of page.found) yield id;
    after = page.next;
  }
}

/** A table whose rows hold frames. */
interface FrameTable {
  readonly select: string;
  readonly remove: string;
  update(tx: Queryable, id: string, erased: ErasedPayload): Promise<unknown>;
}

const letterTable: FrameTable = {
  select: 'SELECT job, rows, payload FROM delivery.dead_letters WHERE id = $1 FOR UPDATE',
  remove: 'DELETE FROM delivery.dead_letters WHERE id = $1',
  update: (tx, id, { payload, rows, types }) =>
    tx.query('UPDATE delivery.dead_letters SET payload = $2, rows = $3, types = $4 WHERE id = $1', [
      id,
      payload,
      rows,
      JSON.stringify(types),
    ]),
};

// Its chunk may be in the queue already. Then the ledger knows the earlier content, and this one is not added.
const replayTable: FrameTable = {
  select: 'SELECT chunk AS job, rows, frame AS payload FROM delivery.replays WHERE chunk = $1 FOR UPDATE',
  remove: 'DELETE FROM delivery.replays WHERE chunk = $1',
  update: (tx, id, { payload, rows }) =>
    tx.query("UPDATE delivery.replays SET frame = $2, rows = $3, idempotency = '[]' WHERE chunk = $1", [
      id,
      payload,
      rows,
    ]),
};

interface FrameRow {
  readonly job: string;
  readonly rows: number;
  readonly payload: Buffer;
}

async function eraseIn(
  db: Postgres,
  table: FrameTable,
  { id, account }: { readonly id: string; readonly account: AccountOfProject },
): Promise<{ rows: number; emptied: number }> {
  return db.transaction(async (tx) => {
    const [row] = await tx.query<FrameRow>(table.select, [id]);
    if (row === undefined) return { rows: 0, emptied: 0 };
    const payload = { jobId: row.job, rows: row.rows, payload: row.payload };
    const erased = await withoutAccount(payload, account.accountId);
    if (erased === null) return { rows: 0, emptied: 0 };
    if (erased.rows === 0) await tx.query(table.remove, [id]);
    else await table.update(tx, id, erased);
    return { rows: erased.removed, emptied: erased.removed === 0 ? 1 : 0 };
  });
}

interface ErasedPayload {
  readonly payload: Buffer;
  readonly rows: number;
  readonly removed: number;
  readonly types: Readonly<Record<string, number>>;
}

/** Null if there is nothing to erase. */
async function withoutAccount(payload: DeadPayload, accountId: string): Promise<ErasedPayload | null> {
  const decoded = await decodeDeadRows(payload);
  if (decoded === null) {
    if (!(await mentions(payload, accountId))) return null;
    return { payload: Buffer.alloc(0), rows: payload.rows, removed: 0, types: {} };
  }
  const rows = decoded.rows.filter((row) => row.accountId !== accountId);
  const removed = decoded.rows.length - rows.length;
  if (removed === 0) return null;
  const kept = await frameOfRows({ ...decoded, rows });
  return { payload: kept, rows: rows.length, removed, types: countTypes(rows.map(({ type }) => type)) };
}
