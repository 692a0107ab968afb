import type { IncomingMessage } from 'node:http';
import { limits } from '@tickrate/contract';
import { streamBody } from '@tickrate/platform';
import type { StreamBudget } from '../limits/stream-budget.ts';
import { type LineBlock, LineBlocks } from '../reading/line-blocks.ts';
import { readMultiLines } from '../reading/multi-body.ts';
import { longestElement } from '../reading/multi-element.ts';
import { ndjsonTypes } from '../reading/receive-body.ts';
import { finishInSlices } from '../reading/sliced.ts';
import type { StoreMulti } from '../storing/store-multi.ts';
import { type InsertCall, type MayGoOn, requestKeyOf } from './insert-call.ts';
import { StreamAnswer } from './stream-answer.ts';

/** Resolves with the outcome of every line. */
export interface InsertLines {
  /** Reads the lines of a request of any length while they arrive. */
  stream(request: IncomingMessage, call: InsertCall): Promise<StreamAnswer>;
  /** Whole lines that arrived. They are recognised as lines of a stream. */
  whole(body: Buffer, call: InsertCall): Promise<StreamAnswer>;
}

export interface InsertLinesDeps {
  readonly streams: StreamBudget;
  readonly storeMulti: StoreMulti;
  readonly mayGoOn: MayGoOn;
  readonly now: () => number;
  readonly limitBytes: number;
  readonly idleMs: number;
}

// What the SDKs send in one request fits in one block, so it is stored as a whole or not at all.
const block = { blockBytes: 256 * 1024, blockLines: limits.batchEvents, lineBytes: longestElement };
const blocksAtOnce = 4;

/**
 * Accepts or rejects each block of lines by itself: a later fault changes nothing. With an Idempotency-Key each block
 * has its own key, made of that key and the number of the block. So a repeat of the same lines stores the missing ones.
 */
export function createInsertLines(deps: InsertLinesDeps): InsertLines {
  const { streams, limitBytes, idleMs } = deps;
  const insert = async (pieces: Pieces, call: InsertCall, isLive: boolean) => {
    const leave = streams.enter(call.principal.projectId);
    const storing = new StoringBlocks(deps, call);
    try {
      for await (const next of readBlocks(pieces, isLive)) await storing.begin(next);
      await storing.settle();
      return storing.answer;
    } catch (error) {
      await storing.settle().catch(() => undefined);
      throw storing.answer.failing(error);
    } finally {
      leave();
    }
  };
  return {
    stream: (request, call) =>
      insert(streamBody(request, { limitBytes, idleMs, types: ndjsonTypes }), call, isLive(request, call)),
    whole: (body, call) => insert([body], call, false),
  };
}

/** The blocks of a body as it arrives; null whenever nothing has come for a moment. */
async function* readBlocks(pieces: Pieces, isLive: boolean): AsyncGenerator<LineBlock | null> {
  const blocks = new LineBlocks(block);
  for await (const piece of pieces) {
    if (piece !== null) yield* blocks.push(piece);
    else yield isLive ? blocks.flush() : null;
  }
  yield* blocks.end();
}

/**
 * Whether lines are stored as soon as the sender pauses. Not with a key: a repeat has other pauses, and would not be
 * recognised. Not with a known length: it is a body that ends soon, and all of it is stored or nothing if it is short.
 */
function isLive({ headers }: IncomingMessage, { query }: InsertCall): boolean {
  return query.idempotencyKey === null && headers['content-length'] === undefined;
}

/** Null means that no data has arrived for a moment. */
type Pieces = AsyncIterable<Buffer | null> | Iterable<Buffer | null>;

/** The number of blocks that are stored at the same time. */
class StoringBlocks {
  readonly answer = new StreamAnswer(limits.batchEvents);
  readonly #deps: InsertLinesDeps;
  readonly #call: InsertCall;
  readonly #underWay = new Set<Promise<void>>();
  #fault: { readonly error: unknown } | null = null;

  constructor(deps: InsertLinesDeps, call: InsertCall) {
    this.#deps = deps;
    this.#call = call;
  }

  /** Resolves when the next block may start. Throws the error of an earlier block. */
  async begin(next: LineBlock | null): Promise<void> {
    if (this.#fault !== null) throw this.#fault.error;
    if (next === null) return;
    await this.#deps.mayGoOn(this.#call);
    const release = await this.#deps.streams.hold(this.#call.principal.projectId, next.body.length);
    const storing = this.#store(next)
      .catch((error: unknown) => {
        this.#fault ??= { error };
      })
      .finally(() => {
        release();
        this.#underWay.delete(storing);
      });
    this.#underWay.add(storing);
    if (this.#underWay.size >= blocksAtOnce) await Promise.race(this.#underWay);
  }

  async settle(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#fault !== null) throw this.#fault.error;
  }

  async #store({ body, number, firstIndex, lines }: LineBlock): Promise<void> {
    const { storeMulti, now } = this.#deps;
    const { idempotencyKey, ...request } = requestKeyOf(this.#call);
    // A client's key contains no space, so no other request can have this key.
    const blockKey = idempotencyKey === null ? null : `${idempotencyKey} lines ${number}`;
    const multi = await finishInSlices(readMultiLines(body, firstIndex));
    const part = await storeMulti({ ...this.#call, receivedMs: now() }, multi, {
      atomic: false,
      requestKey: { ...request, idempotencyKey: blockKey },
    });
    this.answer.add(part, { from: firstIndex, to: firstIndex + lines - 1 });
  }
}
