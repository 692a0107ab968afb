import { hash } from 'node:crypto';
import type { Chunk } from '../../queue/chunks/chunk.ts';
import { readKey } from '../../queue/chunks/idempotency-key.ts';
import { multirange, type Range } from '../../queue/chunks/ranges.ts';

/** The parts of a chunk that the ledger needs: everything but its rows. */
export type SealableChunk = Omit<Chunk, 'frame'>;

/**
 * Postgres arrays as text. The driver escapes every element of an array, which costs more than the seal for 50,000 keys.
 */
export function sealArguments(batchId: string, chunks: readonly SealableChunk[]): unknown[] {
  const keys: string[] = [];
  const bodies: (number | 'NULL')[] = [];
  const places: number[] = [];
  const counts: number[] = [];
  const starts: number[] = [];
  const lengths: number[] = [];
  for (const [index, chunk] of chunks.entries()) {
    for (const run of chunk.idempotency) {
      const { name, body } = readKey(run.key);
      keys.push(hashKey(chunk.projectId, name));
      bodies.push(body ?? 'NULL');
      places.push(index + 1);
      counts.push(run.count);
      starts.push(run.start);
      lengths.push(run.length);
    }
  }
  return [
    batchId,
    literal(chunks.map((chunk) => chunk.id)),
    chunks.map((chunk) => chunk.projectId),
    literal(chunks.map((chunk) => chunk.count)),
    chunks.map((chunk) => chunk.producer),
    literal(chunks.map(({ position }) => position.settled)),
    literal(chunks.map((chunk) => `"${multirange(accountedRanges(chunk))}"`)),
    literal(keys),
    literal(bodies),
    literal(places),
    literal(counts),
    literal(starts),
    literal(lengths),
  ];
}

/** Positions that cannot be missing: those of the chunk, and those that were not accepted. */
function accountedRanges({ count, position }: SealableChunk): Range[] {
  return [[position.start, position.start + count], ...position.voids];
}

/** A key belongs to its project: the same key of two projects is two keys. */
export function hashKey(projectId: string, key: string): string {
  return hash('sha256', `${projectId}\n${key}`, 'hex').slice(0, 32);
}

/** Only for numbers, UUIDs and quoted ranges: it escapes nothing. */
export function literal(values: readonly (number | string)[]): string {
  return `{${values.join(',')}}`;
}
