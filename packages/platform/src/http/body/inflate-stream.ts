import { PassThrough, pipeline, type Readable, type Writable } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { type BodyCoding, endsOnce, hasZlibHeader } from './inflate.ts';

/** What a body is written to as it was sent, and what it is read from as it was meant. */
export interface Inflater {
  readonly sent: Writable;
  /** Destroyed by bytes that are not of the coding or end too early. */
  readonly inflated: Readable;
}

export function createInflater(coding: BodyCoding): Inflater {
  const options = { rejectGarbageAfterEnd: endsOnce(coding) };
  if (coding === 'deflate') return createInflateEither(options);
  const inflating = inflaters[coding](options);
  return { sent: inflating, inflated: inflating };
}

interface InflaterOptions {
  readonly rejectGarbageAfterEnd: boolean;
}

// Of each stream, and there can be many: what the tools of zstd use for their usual levels.
export const streamWindowLog = 21;
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
