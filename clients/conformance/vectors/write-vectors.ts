import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { answerVectors, backoffVectors } from './answer-vectors.ts';
import { clockVectors } from './clock-vectors.ts';
import { eventVectors } from './event-vectors.ts';
import { segmentVectors } from './segment-vectors.ts';
import { signInVectors } from './sign-in-vectors.ts';
import { splitVectors } from './split-vectors.ts';

/** Writes every vector below `folder`. The files are what other languages read; this code is only how they are made. */
export function writeVectors(folder: string): void {
  mkdirSync(join(folder, 'segments'), { recursive: true });
  mkdirSync(join(folder, 'sign-in'), { recursive: true });
  const write = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
  const { files, ...segments } = segmentVectors(crc32);
  write('segments.json', segments);
  for (const [name, bytes] of files) writeFileSync(join(folder, 'segments', name), bytes);
  write('splits.json', splitVectors(crc32));
  write('events.json', eventVectors(crc32));
  write('answers.json', answerVectors);
  write('backoff.json', backoffVectors());
  write('clocks.json', clockVectors);
  for (const [name, transcript] of Object.entries(signInVectors)) write(`sign-in/${name}.json`, transcript);
}
