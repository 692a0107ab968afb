import { createWarehouse } from '@tickrate/warehouse';
import type { SentEvents } from './sent-events.ts';

export interface StoredComparison {
  /** Acknowledged events. */
  readonly acknowledged: number;
  readonly rows: number;
  /** Acknowledged and not stored. */
  readonly missing: number;
  /** Stored more than once. */
  readonly doubled: number;
}

const numbersAtOnce = 1_000_000;

/** Compares the stored events with the acknowledged ones, number by number. */
export async function compareStored(
  { clickhouseUrl, projectId }: { readonly clickhouseUrl: string; readonly projectId: string },
  sent: Pick<SentEvents, 'accepted'>,
): Promise<StoredComparison> {
  const warehouse = createWarehouse({ clickhouseUrl });
  const accepted = sent.accepted();
  const found = { acknowledged: 0, rows: 0, missing: 0, doubled: 0 };
  const total = 'SELECT count() AS rows, count() - uniqExact(data.n.:Int64) AS doubled FROM tickrate.events';
  const [sums] = await warehouse.query<{ rows: string; doubled: string }>(
    `${total} WHERE project = {project:String}`,
    { parameters: { project: projectId } },
  );
  found.rows = Number(sums?.rows);
  found.doubled = Number(sums?.doubled);
  for (const numbers of portions(accepted)) {
    const from = numbers[0] ?? 0;
    const stored = new Set(await numbersBetween(warehouse, projectId, [from, from + numbersAtOnce]));
    found.acknowledged += numbers.length;
    found.missing += numbers.filter((number) => !stored.has(number)).length;
  }
  await warehouse.close();
  return found;
}

/** All numbers, with neighbours grouped. */
function* portions(accepted: readonly (readonly [number, number])[]): Generator<readonly number[]> {
  let numbers: number[] = [];
  for (const [first, count] of accepted) {
    if (numbers.length > 0 && first + count - (numbers[0] ?? 0) > numbersAtOnce) {
      yield numbers;
      numbers = [];
    }
    for (let n = first; n < first + count; n++) numbers.push(n);
  }
  if (numbers.length > 0) yield numbers;
}

async function numbersBetween(
  warehouse: ReturnType<typeof createWarehouse>,
  projectId: string,
  [from, to]: readonly [number, number],
): Promise<number[]> {
  const rows = await warehouse.query<{ n: string | number }>(
    `SELECT DISTINCT data.n.:Int64 AS n FROM tickrate.events
      WHERE project = {project:String} AND data.n.:Int64 >= {from:Int64} AND data.n.:Int64 < {to:Int64}`,
    { parameters: { project: projectId, from, to }, mostRows: numbersAtOnce },
  );
  return rows.map(({ n }) => Number(n));
}
