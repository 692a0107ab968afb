import type { IncomingMessage } from 'node:http';
import { PassThrough, pipeline, type Readable, type Writable } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { systemError } from '@tickrate/contract';
import { contextOf } from '../context.ts';
import { codingOf } from './body-coding.ts';
import {
  type BodyCoding,
  endsOnce,
  hasZlibHeader,
  inflatedTooFar,
  inflationLimit,
  notDecodable,
} from './inflate.ts';

export interface BodyStreamLimits {
  /** Of the whole body as sent and as inflated. */
  readonly limitBytes: number;
  /** The longest that the next bytes may take. */
  readonly idleMs: number;
  readonly types: readonly string[];
}

/**
 * The body of a request as it arrives, inflated, in pieces; null whenever nothing has come for a moment. Nothing more is read
 * before the next piece is asked for. Throws a SystemError: 1004 too large, 1005 a type or coding that is not read, 1008
 * no bytes in time or the client gone, 1009 not decodable. Ended early, it leaves the rest unread: answer as usual.
 */
export async function* streamBody(
  request: IncomingMessage,
  limits: BodyStreamLimits,
): AsyncGenerator<Buffer | null> {
  const coding = codingOf(request, limits);
  if (typeof coding !== 'string') throw coding;
  const context = contextOf(request);
  if (context.bodyFault) throw context.bodyFault;
  context.askForBody();
  const source = openSource(request, coding);
  const reader = new PieceReader(source.readable);
  request.once('error', reader.fail);
  context.failBody = reader.fail;
  let bytes = 0;
  try {
    for await (const piece of reader.pieces(limits.idleMs)) {
      bytes += piece?.length ?? 0;
      const allowed = source.allowed(limits.limitBytes);
      if (bytes > allowed.bytes) throw inflatedTooFar(allowed);
      yield piece;
    }
  } catch (error) {
    throw translate(error, coding);
  } finally {
    context.failBody = null;
    reader.close();
    request.removeListener('error', reader.fail);
    source.close();
    // The client receives the refusal. The edge handles later faults of the connection.
    request.on('error', () => undefined);
    request.pause();
  }
}

const lullMs = 200;

/** Reads a stream piece by piece, and lets go of it at any time: waiting → (piece, end or fault) → waiting or over. */
class PieceReader {
  readonly #readable: Readable;
  readonly #arrived: Buffer[] = [];
  #changed = Promise.withResolvers<void>();
  #isOver = false;
  #fault: unknown = null;

  constructor(readable: Readable) {
    this.#readable = readable;
    readable.on('data', this.#onData);
    readable.on('end', this.#onEnd);
    readable.on('error', this.fail);
  }

  readonly fail = (fault: unknown): void => {
    this.#fault ??= fault;
    this.#changed.resolve();
  };

  async *pieces(idleMs: number): AsyncGenerator<Buffer | null> {
    for (let idleSinceMs = performance.now(); ; ) {
      if (this.#fault !== null) throw this.#fault;
      const piece = this.#arrived.shift();
      if (piece !== undefined) {
        yield piece;
        idleSinceMs = performance.now();
      } else if (this.#isOver) return;
      else if (!(await this.#change())) {
        if (performance.now() - idleSinceMs >= idleMs) throw systemError('requestTimeout');
        yield null;
      }
    }
  }

  close(): void {
    this.#readable.removeListener('data', this.#onData);
    this.#readable.removeListener('end', this.#onEnd);
    this.#readable.removeListener('error', this.fail);
  }

  /** False when nothing changed for a moment. */
  async #change(): Promise<boolean> {
    this.#changed = Promise.withResolvers<void>();
    this.#readable.resume();
    const lull = Promise.withResolvers<false>();
    const timer = setTimeout(() => lull.resolve(false), lullMs);
    const outcome = await Promise.race([this.#changed.promise.then(() => true), lull.promise]);
    clearTimeout(timer);
    return outcome;
  }

  readonly #onData = (piece: Buffer): void => {
    this.#arrived.push(piece);
    this.#readable.pause();
    this.#changed.resolve();
  };

  readonly #onEnd = (): void => {
    this.#isOver = true;
    this.#changed.resolve();
  };
}

function openSource(request: IncomingMessage, coding: BodyCoding | 'identity') {
  if (coding === 'identity') {
    const allowed = (limitBytes: number) => inflationLimit(Number.POSITIVE_INFINITY, limitBytes);
    return { readable: request, allowed, close: () => undefined };
  }
  const { sent, inflated } = createInflater(coding);
  let sentBytes = 0;
  const count = (piece: Buffer) => {
    sentBytes += piece.length;
  };
  request.on('data', count);
  request.pipe(sent);
  return {
    readable: inflated,
    /** What it may have been inflated to by now. */
    allowed: (limitBytes: number) => inflationLimit(sentBytes, limitBytes),
    close() {
      request.unpipe(sent);
      request.removeListener('data', count);
      for (const stream of [sent, inflated]) stream.on('error', () => undefined).destroy();
    },
  };
}

function translate(error: unknown, coding: BodyCoding | 'identity'): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') return systemError('requestTimeout');
  if (!/^(Z_|ERR_|ZSTD_|ERR__ERROR)/.test(code) || coding === 'identity') return error;
  return notDecodable(coding, error, streamWindowLog);
}

/** What a body is written to as it was sent, and what it is read from as it was meant. */
interface Inflater {
  readonly sent: Writable;
  /** Destroyed by bytes that are not of the coding or end too early. */
  readonly inflated: Readable;
}

function createInflater(coding: BodyCoding): Inflater {
  const options = { rejectGarbageAfterEnd: endsOnce(coding) };
  if (coding === 'deflate') return createInflateEither(options);
  const inflating = inflaters[coding](options);
  return { sent: inflating, inflated: inflating };
}

interface InflaterOptions {
  readonly rejectGarbageAfterEnd: boolean;
}

// Of each stream, and there can be many: what the tools of zstd use for their usual levels.
const streamWindowLog = 21;
const zstdParams = { [constants.ZSTD_d_windowLogMax]: streamWindowLog };

const inflaters = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  zstd: (options: InflaterOptions) => createZstdDecompress({ ...options, params: zstdParams }),
};

/** For the zlib format and the bare stream. The first bytes distinguish them. */
function createInflateEither(options: InflaterOptions): Inflater {
  const sent = new PassThrough();
  const inflated = new PassThrough();
  sent.once('readable', () => {
    const first: Buffer = sent.read() ?? Buffer.alloc(0);
    const inflating = hasZlibHeader(first) ? createInflate(options) : createInflateRaw(options);
    inflating.write(first);
    pipeline(sent, inflating, inflated, () => undefined);
  });
  return { sent, inflated };
}
