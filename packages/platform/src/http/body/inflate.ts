import {
  type BrotliOptions,
  brotliDecompress,
  brotliDecompressSync,
  constants,
  gunzip,
  gunzipSync,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  inflate as inflateZlib,
  type ZlibOptions,
  type ZstdOptions,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib';
import { type SystemError, systemError } from '@tickrate/contract';
import type { HeldBodies } from './held-bodies.ts';

export type BodyCoding = 'gzip' | 'deflate' | 'br' | 'zstd';

/**
 * Whether bytes after the end of the compressed data are to be refused by name: zlib would pass over them in silence, and over
 * what they hold. gzip refuses them by itself, and a second member of gzip is part of the body, as is a second frame of zstd.
 */
export function endsOnce(coding: BodyCoding): boolean {
  return coding !== 'gzip';
}

// Below this the thread pool's round trip costs more than the work.
const syncBelowBytes = 4096;
// RFC 9659: a zstd body may ask for a window of 8 MiB and no more. The library's own limit is 128 MiB.
const zstdWindowLog = 23;
const zstdParams = { [constants.ZSTD_d_windowLogMax]: zstdWindowLog };

const ratioFreeBytes = 64 * 1024;
/** How many times its own size a compressed body may grow, above the first 64 KiB. */
const usualRatio = 200;

/** What a body may be inflated to, once so much of it was sent. */
export interface InflationLimit {
  readonly bytes: number;
  /** Not what a body may be at all, but what so few bytes may become. */
  readonly isOfRatio: boolean;
  readonly ratio: number;
}

export function inflationLimit(sentBytes: number, limitBytes: number, ratio = usualRatio): InflationLimit {
  const byRatio = Math.max(ratioFreeBytes, sentBytes * ratio);
  return { bytes: Math.min(limitBytes, byRatio), isOfRatio: byRatio < limitBytes, ratio };
}

/** 1004, which says where it is the ratio that a body went beyond: it is smaller than what the documents allow. */
export function inflatedTooFar({ bytes, isOfRatio, ratio }: InflationLimit): SystemError {
  const fields = `Content-Encoding: a body may grow to ${ratio} times what is sent, or to 64 KiB`;
  return systemError('bodyTooLarge', { amount: bytes }, isOfRatio ? { fields } : {});
}

/**
 * The inflated body. Inflation itself ends at the limit, so that a bomb costs no more than that.
 * Throws a SystemError: 1004 above the limit, 1009 for bytes that are not of the coding or end too early.
 */
export async function inflateBody(
  coding: BodyCoding,
  bytes: Buffer,
  { limit, bodies }: { readonly limit: InflationLimit; readonly bodies: HeldBodies },
): Promise<Buffer> {
  const options = {
    maxOutputLength: limit.bytes,
    rejectGarbageAfterEnd: endsOnce(coding),
    ...(coding === 'zstd' && { params: zstdParams }),
  };
  try {
    if (bytes.byteLength <= syncBelowBytes) return inflateNow(coding, bytes, options);
    return await bodies.semaphore.run(() => inflateAside(coding, bytes, options));
  } catch (error) {
    const isTooFar = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooFar ? inflatedTooFar(limit) : notDecodable(coding, error, zstdWindowLog);
  }
}

type InflateOptions = ZlibOptions & BrotliOptions & ZstdOptions;

function inflateNow(coding: BodyCoding, bytes: Buffer, options: InflateOptions): Buffer {
  switch (coding) {
    case 'gzip':
      return gunzipSync(bytes, options);
    case 'deflate':
      return hasZlibHeader(bytes) ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
    case 'br':
      return brotliDecompressSync(bytes, options);
    case 'zstd':
      return zstdDecompressSync(bytes, options);
  }
}

function inflateAside(coding: BodyCoding, bytes: Buffer, options: InflateOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null, inflated: Buffer) => (error ? reject(error) : resolve(inflated));
    if (coding === 'gzip') gunzip(bytes, options, settle);
    else if (coding === 'br') brotliDecompress(bytes, options, settle);
    else if (coding === 'zstd') zstdDecompress(bytes, options, settle);
    else if (hasZlibHeader(bytes)) inflateZlib(bytes, options, settle);
    else inflateRaw(bytes, options, settle);
  });
}

/** Of these first bytes. "deflate" means the zlib format, but some clients send the bare stream. */
export function hasZlibHeader(bytes: Buffer): boolean {
  if (bytes.byteLength < 2) return true;
  const header = bytes.readUInt16BE(0);
  return (header & 0x0f00) === 0x0800 && header % 31 === 0;
}

/** 1009, which says what is wrong with the compressed data, by the code of the error. */
export function notDecodable(coding: BodyCoding, error: unknown, windowLog: number): SystemError {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const fields = `Content-Encoding: ${decodingFault(coding, code, windowLog)}`;
  return systemError('bodyNotDecodable', {}, { fields, cause: error });
}

function decodingFault(coding: BodyCoding, code: unknown, windowLog: number): string {
  if (code === 'Z_BUF_ERROR') return `the body ends before its ${coding} data ends`;
  if (code === 'ERR_TRAILING_JUNK_AFTER_STREAM_END') return `other bytes follow the ${coding} data`;
  if (code === 'ZSTD_error_frameParameter_windowTooLarge')
    return `the window of the zstd data must be at most ${2 ** (windowLog - 20)} MiB`;
  return `the body is not valid ${coding} data`;
}
