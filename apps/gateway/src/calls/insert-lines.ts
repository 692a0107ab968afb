import type { IncomingMessage } from 'node:http';
import { limits, SystemError } from '@tickrate/contract';
import { streamBody } from '@tickrate/platform';
import type { GatewayParts } from '../parts.ts';
import { type LineBlock, LineBlocks } from '../reading/line-blocks.ts';
import { readMultiLines } from '../reading/multi-body.ts';
import { longestElement } from '../reading/multi-element.ts';
import { ndjsonTypes } from '../reading/receive-body.ts';
import { finishInSlices } from '../reading/sliced.ts';
import { storeMulti } from '../storing/store-multi.ts';
import { checkStillAllowed } from './begin-call.ts';
import { type InsertCall, requestKeyOf } from './insert-call.ts';
import { StreamAnswer } from './stream-answer.ts';

// What the SDKs send in one request fits in one block, so it is stored as a whole or not at all.
const block = { blockBytes: 256 * 1024, blockLines: limits.batchEvents, lineBytes: longestElement };
const blocksAtOnce = 4;

/**
 * Reads the lines of a request of any length while they arrive, and resolves with the outcome of every line. Each block
 * of lines is accepted or rejected by itself: a later fault changes nothing. With an Idempotency-Key each block has its
 * own key, made of that key and the number of the block. So a repeat of the same lines stores the missing ones.
 */
export function insertStream(
  parts: GatewayParts,
  request: IncomingMessage,
  call: InsertCall,
): Promise<StreamAnswer> {
  const { streamBytes: limitBytes, streamIdleMs: idleMs } = parts.config;
  const pieces = streamBody(request, { limitBytes, idleMs, types: ndjsonTypes });
  return insertBlocks(parts, call, readBlocks(pieces, isLive(request, call)));
}

/** Stores whole lines that arrived. They are recognised as lines of a stream. */
export function insertLines(parts: GatewayParts, call: InsertCall, body: Buffer): Promise<StreamAnswer> {
  return insertBlocks(parts, call, readBlocks([body], false));
}

async function insertBlocks(
  parts: GatewayParts,
  call: InsertCall,
  blocks: AsyncIterable<LineBlock | null>,
): Promise<StreamAnswer> {
  const leave = parts.bodies.enterStream(call.principal.projectId);
  const storing = new StoringBlocks(parts, call);
  try {
    for await (const next of blocks) await storing.begin(next);
    await storing.settle();
    return storing.answer;
  } catch (error) {
    const inFlight = await storing.settle().then(
      () => error,
      (fault: unknown) => fault,
    );
    throw storing.answer.failing(isOutcomeUnknown(inFlight) ? inFlight : error);
  } finally {
    leave();
  }
}

/** Some lines may be stored, so this fault is the answer whatever else failed. */
function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof SystemError && error.data['outcomeUnknown'] === true;
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

/** The blocks of a stream that are stored at the same time, and the outcome so far. */
class StoringBlocks {
  readonly answer = new StreamAnswer(limits.batchEvents);
  readonly #parts: GatewayParts;
  readonly #call: InsertCall;
  readonly #underWay = new Set<Promise<void>>();
  #fault: { readonly error: unknown } | null = null;

  constructor(parts: GatewayParts, call: InsertCall) {
    this.#parts = parts;
    this.#call = call;
  }

  /** Resolves when the next block may start. Throws the error of an earlier block. */
  async begin(next: LineBlock | null): Promise<void> {
    if (this.#fault !== null) throw this.#fault.error;
    if (next === null) return;
    await checkStillAllowed(this.#parts, this.#call);
    const release = await this.#parts.bodies.waitFor(this.#call.principal.projectId, next.body.length);
    const storing = this.#store(next)
      .catch((error: unknown) => {
        if (this.#fault === null || isOutcomeUnknown(error)) this.#fault = { error };
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
    const { idempotencyKey, ...request } = requestKeyOf(this.#call);
    // A client's key contains no space, so no other request can have this key.
    const blockKey = idempotencyKey === null ? null : `${idempotencyKey} lines ${number}`;
    const multi = await finishInSlices(readMultiLines(body, firstIndex));
    const call = { ...this.#call, receivedMs: this.#parts.now() };
    const part = await storeMulti(this.#parts, call, {
      multi,
      atomic: false,
      requestKey: { ...request, idempotencyKey: blockKey },
    });
    this.answer.add(part, { from: firstIndex, to: firstIndex + lines - 1 });
  }
}
