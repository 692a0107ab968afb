import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { Code, fault } from '../answer/http-fault.ts';

export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd' | 'lz4' | 'xz' | 'bz2' | 'snappy';

/** In the order of ClickHouse's preference for its answers. */
const PREFERRED: readonly Coding[] = ['br', 'zstd', 'gzip', 'deflate', 'lz4', 'xz', 'snappy'];
const KNOWN: ReadonlySet<string> = new Set([...PREFERRED, 'bz2']);

/** The coding of a body. Undefined for none. Throws for an unknown one. */
export function requestCoding(header: string | undefined): Coding | undefined {
  const name = (header ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return undefined;
  const plain = name === 'x-gzip' ? 'gzip' : name;
  if (!isCoding(plain)) throw fault(Code.unknownCompressionMethod, `Unknown compression method ${name}`);
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

/** A stream that decodes. Undefined for codings that only the engine knows. */
export function decoder(coding: Coding): Transform | undefined {
  if (coding === 'gzip') return zlib.createGunzip();
  if (coding === 'deflate') return zlib.createInflate();
  if (coding === 'br') return zlib.createBrotliDecompress();
  if (coding === 'zstd') return zlib.createZstdDecompress();
  return undefined;
}

/** A stream that encodes. Undefined for codings that only the engine knows. `level` has ClickHouse's meaning. */
export function encoder(coding: Coding, level: number): Transform | undefined {
  const { constants } = zlib;
  if (coding === 'gzip') return zlib.createGzip({ level: Math.min(level, 9) });
  if (coding === 'deflate') return zlib.createDeflate({ level: Math.min(level, 9) });
  if (coding === 'br') {
    return zlib.createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: Math.min(level, 11) } });
  }
  if (coding === 'zstd') {
    return zlib.createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: Math.min(level, 19) } });
  }
  return undefined;
}

function isCoding(name: string): name is Coding {
  return KNOWN.has(name);
}
