import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { uuidText } from '@tickrate/contract';
import { eventColumns, maskRows, type RowMask } from '@tickrate/events';
import type { Writer } from '../inserts/writer.ts';
import { quoteIdentifier, quoteString } from '../quote.ts';
import {
  type AccountEvents,
  accountPages,
  type ErasedEvents,
  isOfAnyOf,
  type Reading,
  untilOf,
} from '../reading/account-events.ts';
import type { Reader } from '../reading/reader.ts';
import { eventsTable, onCluster } from '../table/events-table.ts';
import { maskedDatabase, projectDatabase } from '../views/typed-view.ts';
import { WarehouseFault } from '../warehouse-fault.ts';
import { runMutation } from './run-mutation.ts';

export interface MaskedCopy {
  /** Identifies the copy. A repetition under the same name is not stored twice. */
  readonly name: string;
  readonly personalPaths: RowMask['personalPaths'];
  readonly signal?: AbortSignal | undefined;
}

export function createEraser(
  reading: Reading,
  events: Pick<Writer, 'insertRows'> & Pick<Reader, 'countByChunk'>,
) {
  return {
    /**
     * Rewrites every part with events of these accounts and projects, once for all of them, without the events received until the
     * latest of their times. Resolves when it is done. Throws a WarehouseFault or the reason of the signal, and can be
     * repeated. No batch with such events may be in delivery, because delivery counts rows.
     */
    removeAccounts: (accounts: readonly ErasedEvents[], signal?: AbortSignal) =>
      removeAccounts(reading, accounts, signal),
    /**
     * Adds a copy of each event without the identity of the account. Complete it before `removeAccounts`, which removes
     * the originals. It can be repeated until then and stores nothing twice. Resolves to the number of copies.
     */
    async copyMasked(account: AccountEvents, { name, personalPaths, signal }: MaskedCopy): Promise<number> {
      const columns = eventColumns.map((column) => column.name).join(', ');
      let copies = 0;
      for await (const { bytes, rows } of accountPages(reading, account, {
        columns,
        format: 'RowBinary',
        signal,
      })) {
        const chunkId = pageId(`${name}/${copies}`);
        await storeOnce(events, {
          bytes: maskRows(bytes, { chunkId, personalPaths }),
          chunkId,
          rows,
          signal,
        });
        copies += rows;
      }
      return copies;
    },
    /** Deletes all views of a project. Resolves when it is done; it can be repeated. Throws a WarehouseFault. */
    async removeViews(projectId: string): Promise<void> {
      const { clickhouse, place, timeoutMs } = reading;
      for (const database of [projectDatabase(projectId), maskedDatabase(projectId)]) {
        const sql = `DROP DATABASE IF EXISTS ${quoteIdentifier(database)}${onCluster(place)} SYNC`;
        await clickhouse.command(sql, { timeoutMs });
      }
    },
  };
}

async function removeAccounts(
  reading: Reading,
  accounts: readonly ErasedEvents[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (accounts.length === 0) return;
  const { clickhouse, place, timeoutMs } = reading;
  const where = isOfAnyOf(accounts);
  // Even a rewrite without matches reads the whole table, and most erased accounts have few events or none.
  const found = await clickhouse.rows(`SELECT 1 FROM ${eventsTable(place)} WHERE ${where} LIMIT 1`, {
    timeoutMs,
    signal,
  });
  if (found.length === 0) return;
  const marks = accounts.map(({ projectId, accountId }) => quoteString(accountId ?? projectId));
  await runMutation(reading, {
    command: `DELETE WHERE ${where}`,
    marks: [...new Set(marks), untilOf(accounts)],
    signal,
  });
}

interface MaskedPage {
  readonly bytes: Buffer;
  readonly chunkId: Buffer;
  readonly rows: number;
  readonly signal: AbortSignal | undefined;
}

/** The server forgets the token with time, so the copied rows themselves are checked. */
async function storeOnce(
  store: Pick<Writer, 'insertRows'> & Pick<Reader, 'countByChunk'>,
  { bytes, chunkId, rows, signal }: MaskedPage,
): Promise<void> {
  const id = uuidText(chunkId, 0);
  const counts = await store.countByChunk([id]);
  if ((counts.get(id) ?? 0) >= rows) return;
  const outcome = await store.insertRows({ body: [zstdCompressSync(bytes)], token: `mask/${id}`, signal });
  if (outcome.kind === 'stored') return;
  signal?.throwIfAborted();
  throw new WarehouseFault(outcome.message, { code: outcome.code, transient: outcome.kind === 'transient' });
}

function pageId(name: string): Buffer {
  return createHash('sha256').update(name).digest().subarray(0, 16);
}
