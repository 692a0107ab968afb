import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { eventColumns, maskRows, type RowMask, uuidText } from '@tickrate/contract';
import { type AccountEvents, accountPages, isOfAccount, type Reading } from './account-events.ts';
import { quoteString } from './quote.ts';
import type { Reader } from './reader.ts';
import { runMutation } from './run-mutation.ts';
import { WarehouseFault } from './warehouse-fault.ts';
import type { Writer } from './writer.ts';

export interface MaskedCopy {
  /** Names the copy: made again under the same name it is not made twice. */
  readonly name: string;
  readonly personalPaths: RowMask['personalPaths'];
  readonly signal?: AbortSignal | undefined;
}

export interface Eraser {
  /**
   * Rewrites every part that holds such events, without them. Resolves when it is done; throws a WarehouseFault or what
   * the signal said, and may be called again. No batch with such events may be on its way: delivery counts rows.
   */
  removeAccount(events: AccountEvents, signal?: AbortSignal): Promise<void>;
  /**
   * Adds a copy of each event that tells nothing of the account. To be completed before `removeAccount`, which takes
   * the originals away; may be repeated until then, and stores nothing twice. Resolves to the number of copies.
   */
  copyMasked(events: AccountEvents, copy: MaskedCopy): Promise<number>;
}

export function createEraser(
  reading: Reading,
  events: Pick<Writer, 'insertRows'> & Pick<Reader, 'countByChunk'>,
): Eraser {
  return {
    removeAccount: (account, signal) =>
      runMutation(reading, {
        command: `DELETE WHERE ${isOfAccount(account)}`,
        marks: [account.projectId, account.accountId]
          .map(quoteString)
          .concat(String(Math.trunc(account.receivedUntilMs))),
        signal,
      }),
    async copyMasked(account, { name, personalPaths, signal }) {
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
  };
}

interface MaskedPage {
  readonly bytes: Buffer;
  readonly chunkId: Buffer;
  readonly rows: number;
  readonly signal: AbortSignal | undefined;
}

/** The token alone would be forgotten in time; the rows themselves tell whether they are there. */
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
