/** Rows of a series without its empty buckets. */
interface Bucket {
  /** ISO 8601: the start of the bucket. */
  readonly at: string;
}

const mostBuckets = 5_000;

/**
 * The start of every bucket from `fromMs` to `toMs`, in line with the rows: a chart must fall to 0 where nothing happened,
 * not draw a line across it.
 */
export function fillBuckets(
  rows: readonly Bucket[],
  { fromMs, toMs, bucketMs }: { readonly fromMs: number; readonly toMs: number; readonly bucketMs: number },
): number[] {
  const known = rows.map(({ at }) => Date.parse(at));
  const [first] = known;
  if (first === undefined) return [];
  const start = first - Math.floor((first - fromMs) / bucketMs) * bucketMs;
  const count = Math.min(mostBuckets, Math.ceil((toMs - start) / bucketMs));
  const times = new Set(known);
  for (let index = 0; index < count; index += 1) times.add(start + index * bucketMs);
  return [...times].toSorted((a, b) => a - b);
}
