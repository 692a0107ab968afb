import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { refused } from '../command-line/command.ts';

const unpackers: Readonly<Record<string, () => Transform>> = {
  '.gz': createGunzip,
  '.br': createBrotliDecompress,
  '.zst': createZstdDecompress,
};

/** The text of a file, in pieces. Files that end in .gz, .br and .zst are unpacked. */
export async function* openText(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const unpack = unpackers[extname(path).toLowerCase()]?.();
  // The reader of the last stream gets every fault.
  const stream = unpack === undefined ? file : pipeline(file, unpack, () => undefined);
  try {
    yield* stream.setEncoding('utf8') as AsyncIterable<string>;
  } catch (error) {
    throw refused(`${path} cannot be read to its end: ${(error as Error).message}`, error);
  }
}
