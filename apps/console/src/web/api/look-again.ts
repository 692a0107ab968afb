/**
 * A stored event is visible to queries up to a second later. So a question that was asked in that second has an empty answer,
 * and it is asked again a few times.
 */
const delaysMs = [1_000, 1_000, 2_000, 3_000, 5_000];

/**
 * The time after which an answer is loaded again, or false. `loads` counts answers since the page opened: after the last delay,
 * an answer that the user requests begins anew.
 */
export function lookAgainAfter(answer: unknown, loads: number): number | false {
  if (loads < 1 || !isNothing(answer)) return false;
  return delaysMs[(loads - 1) % (delaysMs.length + 1)] ?? false;
}

/** Whether an analysis or a query found no event: no rows, or none that counts a player or an event. */
function isNothing(answer: unknown): boolean {
  const rows = rowsOf(answer);
  return rows?.every((row) => countOf(row) === 0) ?? false;
}

function rowsOf(answer: unknown): readonly unknown[] | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { results, data }: { readonly results?: unknown; readonly data?: unknown } = answer;
  if (Array.isArray(results)) return results;
  return Array.isArray(data) ? data : null;
}

/** Null for a row that counts neither. Events of a server belong to no player. */
function countOf(row: unknown): number | null {
  if (typeof row !== 'object' || row === null) return null;
  const { players, events }: { readonly players?: unknown; readonly events?: unknown } = row;
  const counts = [players, events].filter((count) => typeof count === 'number');
  return counts.length === 0 ? null : Math.max(...counts);
}
