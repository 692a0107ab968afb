import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';

export type AnswerCoding = 'zstd' | 'br' | 'gzip' | 'identity';

// Between codings that are liked alike, the one that costs us least.
const offered = ['zstd', 'br', 'gzip', 'identity'] as const;
const mostItems = 32;

/**
 * The offered coding that the client prefers, the first among equals (RFC 9110, 12.5.3). For `*` it is one that every HTTP
 * client reads: zstd and Brotli require that the client names them, or refuses all others. If nothing is acceptable, the
 * answer is not encoded.
 */
export function negotiateCoding(
  acceptEncoding: string | string[] | undefined,
  among: readonly AnswerCoding[] = offered,
): AnswerCoding {
  if (typeof acceptEncoding !== 'string') return 'identity';
  const weights = parseWeights(acceptEncoding);
  const any = weights.get('*') ?? 0;
  let best: AnswerCoding = 'identity';
  let bestWeight = 0;
  for (const coding of among) {
    const isForAny = coding === 'gzip' || coding === 'identity';
    const weight = weights.get(coding) ?? (isForAny ? any : 0);
    if (weight > bestWeight) {
      best = coding;
      bestWeight = weight;
    }
  }
  if (bestWeight > 0 || any === 0) return best;
  const left = (['br', 'zstd'] as const).find((coding) => among.includes(coding) && !weights.has(coding));
  return left ?? 'identity';
}

/** Whether an answer has to be compressed, however small it is, for a client that takes no other. */
export function refusesIdentity(acceptEncoding: string | string[] | undefined): boolean {
  if (typeof acceptEncoding !== 'string' || !/(?:\*|identity)\s*;/i.test(acceptEncoding)) return false;
  const weights = parseWeights(acceptEncoding);
  return (weights.get('identity') ?? weights.get('*') ?? 1) === 0;
}

/**
 * What an Accept or an Accept-Encoding names, in lower case, each with its weight; 0 is refused. Of what is named twice the
 * lower weight counts, what has a weight that is none is not named, and neither is anything in a longer list than any client's.
 */
export function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  const items = header.split(',', mostItems + 1);
  if (items.length > mostItems) return weights;
  for (const item of items) {
    const [text = '', ...parameters] = item.split(';');
    const name = text
      .trim()
      .toLowerCase()
      .replace(/^x-gzip$/, 'gzip');
    const weight = weightOf(parameters);
    if (name === '' || weight === null) continue;
    weights.set(name, Math.min(weight, weights.get(name) ?? 1));
  }
  return weights;
}

function weightOf(parameters: readonly string[]): number | null {
  const given = parameters.find((each) => /^\s*q\s*=/i.test(each));
  if (given === undefined) return 1;
  const value = /=\s*(0(?:\.\d*)?|1(?:\.0*)?)\s*$/.exec(given)?.[1];
  return value === undefined ? null : Number(value);
}

/** Calls back with the compressed bytes, off the main thread. */
export function compress(
  coding: Exclude<AnswerCoding, 'identity'>,
  bytes: Buffer,
  done: (compressed: Buffer) => void,
): void {
  const settle = (error: Error | null, compressed: Buffer) => {
    if (error) throw error;
    done(compressed);
  };
  if (coding === 'zstd') zstdCompress(bytes, settle);
  else if (coding === 'br') {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
    };
    brotliCompress(bytes, { params }, settle);
  } else gzip(bytes, { level: 5 }, settle);
}
