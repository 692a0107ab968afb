import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';

export type AnswerCoding = 'zstd' | 'br' | 'gzip' | 'identity';

const offered = ['zstd', 'br', 'gzip'] as const;

/** The coding that the client likes best of those offered; between equals, the one that costs us least. */
export function negotiateCoding(acceptEncoding: string | string[] | undefined): AnswerCoding {
  if (typeof acceptEncoding !== 'string') return 'identity';
  const weights = parseWeights(acceptEncoding);
  let best: AnswerCoding = 'identity';
  let bestWeight = weights.get('identity') ?? 0;
  for (const coding of offered) {
    const weight =
      weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined) ?? weights.get('*') ?? 0;
    if (weight > bestWeight || (weight === bestWeight && weight > 0 && best === 'identity')) {
      best = coding;
      bestWeight = weight;
    }
  }
  return best;
}

/** What an Accept or an Accept-Encoding names, in lower case, each with its weight; 0 is refused. */
export function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(',', 32)) {
    const [name = '', ...parameters] = item.split(';');
    const given = parameters
      .map((each) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(each)?.[1])
      .find((each) => each !== undefined);
    const weight = given === undefined ? 1 : Number(given);
    weights.set(name.trim().toLowerCase(), weight >= 0 && weight <= 1 ? weight : 0);
  }
  return weights;
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
