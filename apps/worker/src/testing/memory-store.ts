import { zstdDecompressSync } from 'node:zlib';
import { readRows } from '@tickrate/events';
import type { InsertOutcome } from '@tickrate/warehouse';
import type { EventStore } from '../delivery/event-store.ts';

/** Inserts like ClickHouse, as far as delivery depends on it: all or nothing, and tokens are remembered. */
export class MemoryStore implements EventStore {
  /** How often each event of `sampleChunk` is stored. */
  readonly counts = new Map<number, number>();
  readonly inserts: { readonly token: string; readonly rows: number }[] = [];
  readonly refusedEvents = new Set<number>();
  /** The server is killed in the next insert, after its token was written and before its rows are published. */
  diesBeforePublishing = false;
  /** The server is killed after the next insert. Its disk was too full for the token: only the rows are stored. */
  diesWithoutToken = false;
  /** Whether a rejection names the row. */
  namesRow = true;
  readonly #tokens = new Set<string>();
  readonly #byChunk = new Map<string, number>();

  forgetTokens(): void {
    this.#tokens.clear();
  }

  async insertRows({ body, token }: { body: readonly Uint8Array[]; token: string }): Promise<InsertOutcome> {
    const rows = body.flatMap((frame) => [...readRows(inflate(frame))]);
    const events = rows.map((row) => Number(row.data.get('n')));
    const refused = events.findIndex((event) => this.refusedEvents.has(event));
    if (refused !== -1) {
      return { kind: 'data', code: '27', row: this.namesRow ? refused : null, message: 'no' };
    }
    if (!this.#tokens.has(token)) {
      this.#tokens.add(token);
      if (this.diesBeforePublishing) {
        this.diesBeforePublishing = false;
        return { kind: 'transient', code: 'ECONNRESET', known: true, message: 'killed' };
      }
      this.inserts.push({ token, rows: rows.length });
      for (const event of events) this.counts.set(event, (this.counts.get(event) ?? 0) + 1);
      for (const { chunkId } of rows) this.#byChunk.set(chunkId, (this.#byChunk.get(chunkId) ?? 0) + 1);
      if (this.diesWithoutToken) {
        this.diesWithoutToken = false;
        this.#tokens.delete(token);
        return { kind: 'transient', code: 'ECONNRESET', known: true, message: 'killed' };
      }
    }
    return { kind: 'stored' };
  }

  async countByChunk(chunkIds: readonly string[]): Promise<Map<string, number>> {
    return new Map(chunkIds.map((id) => [id, this.#byChunk.get(id) ?? 0]));
  }
}

/** The server would answer a broken frame with an exception; the tests break frames on purpose. */
function inflate(frame: Uint8Array): Buffer {
  return zstdDecompressSync(frame);
}
