import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { Code, fault } from '../answer/http-fault.ts';
import { isTrue, type RequestParams } from './request-params.ts';

export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** In the order of ClickHouse's preference for its answers. */
const PREFERRED: readonly Coding[] = ['br', 'zstd', 'gzip', 'deflate'];

/** The coding of a body. Undefined for none. Throws for an unknown one. */
export function requestCoding(header: string | undefined): Coding | undefined {
  const name = (header ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return undefined;
  const plain = name === 'x-gzip' ? 'gzip' : name;
  if (!isCoding(plain)) throw unknownCoding(name);
  return plain;
}

/** The coding for the answer. Undefined for none. */
export function responseCoding(header: string | undefined): Coding | undefined {
  const accepted = new Map(
    (header ?? '').split(',').map((part) => {
      const [name = '', ...rest] = part.trim().toLowerCase().split(';');
      const weight = /q=([0-9.]+)/.exec(rest.join(';'))?.[1];
      return [name.trim(), weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
  const offered = PREFERRED.filter((coding) => (accepted.get(coding) ?? 0) > 0);
  const best = Math.max(...offered.map((coding) => accepted.get(coding) ?? 0));
  return offered.find((coding) => accepted.get(coding) === best);
}

export function decoder(coding: Coding): Transform {
  if (coding === 'gzip') return zlib.createGunzip();
  if (coding === 'deflate') return zlib.createInflate();
  return coding === 'br' ? zlib.createBrotliDecompress() : zlib.createZstdDecompress();
}

/** How a body leaves. */
export interface Packing {
  readonly coding: Coding;
  readonly packer: Transform;
}

/** Undefined where the answer stays as it is. */
export function packingOf(params: RequestParams, request: IncomingMessage): Packing | undefined {
  const wanted = isTrue(params.settings.get('enable_http_compression') ?? '1');
  const coding = wanted ? responseCoding(request.headers['accept-encoding']) : undefined;
  return coding === undefined ? undefined : { coding, packer: encoder(coding, levelOf(params)) };
}

const DEFAULT_LEVEL = 3;

/** An invalid level does not reach the packer, which would throw. The engine reports it. */
function levelOf({ settings }: RequestParams): number {
  const level = Number(settings.get('http_zlib_compression_level') ?? DEFAULT_LEVEL);
  return Number.isInteger(level) && level > 0 ? level : DEFAULT_LEVEL;
}

/** `level` has ClickHouse's meaning. */
function encoder(coding: Coding, level: number): Transform {
  const { constants } = zlib;
  if (coding === 'gzip') return zlib.createGzip({ level: Math.min(level, 9) });
  if (coding === 'deflate') return zlib.createDeflate({ level: Math.min(level, 9) });
  if (coding === 'br') {
    return zlib.createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: Math.min(level, 11) } });
  }
  return zlib.createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: Math.min(level, 19) } });
}

function isCoding(name: string): name is Coding {
  return PREFERRED.some((coding) => coding === name);
}

function unknownCoding(name: string): Error {
  const message = `Unknown compression method ${name}: the known ones are ${PREFERRED.join(', ')}`;
  return fault(Code.unknownCompressionMethod, message);
}
