import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeVectors } from './write-vectors.ts';

const files = '{*.json,segments/*}';

test('the vectors with checksums are current: npm run docs writes them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tickrate-vectors-'));
  try {
    writeVectors(folder);
    const names = globSync(files, { cwd: folder }).toSorted();
    const segments = (cwd: string) => globSync('segments/*', { cwd }).toSorted();
    expect(segments(import.meta.dirname)).toEqual(segments(folder));
    for (const name of names) expect(contentOf(import.meta.dirname, name)).toEqual(contentOf(folder, name));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The formatter may wrap JSON as it likes; a segment counts byte by byte. */
function contentOf(folder: string, name: string): unknown {
  const bytes = readFileSync(join(folder, name));
  return name.endsWith('.json') ? JSON.parse(bytes.toString()) : bytes.toString('latin1');
}
