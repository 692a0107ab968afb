import { type SystemError, systemError } from '@tickrate/contract';
import type { RegistryCache } from '@tickrate/registry';

/** Senders of unknown types may flood: at most one look-up in this time, and every other refusal goes without it. */
const betweenMs = 50;
const mostDistance = 2;

/** Adds to 8001 the nearest declared name and how to declare a type. Never rejects. */
export type ExplainUndeclared = (projectId: string, error: SystemError) => Promise<SystemError>;

export function createExplainUndeclared(
  registry: Pick<RegistryCache, 'declaredNames'>,
  now: () => number,
): ExplainUndeclared {
  let lookedMs = Number.NEGATIVE_INFINITY;
  return async (projectId, error) => {
    const { invalidIdentifier: name } = error.data;
    if (error.reason !== 'eventTypeNotFound' || typeof name !== 'string') return error;
    const isTurn = now() - lookedMs >= betweenMs;
    if (isTurn) lookedMs = now();
    const names = isTurn ? await registry.declaredNames(projectId).catch(() => []) : [];
    const nearest = nearestOf(name, names);
    const advice = nearest === null ? '' : `did you mean '${nearest}'? Otherwise `;
    const fields = `eventType: ${advice}declare it in the console, or with \`npm run tickrate -- event-types declare FILE\``;
    return systemError('eventTypeNotFound', { invalidIdentifier: name }, { fields });
  };
}

/** The declared name with the fewest edits, two at most, without regard to case and separators. */
function nearestOf(name: string, names: readonly string[]): string | null {
  let nearest: string | null = null;
  let least = mostDistance + 1;
  for (const each of names) {
    const distance = distanceOf(plain(name), plain(each));
    if (distance >= least) continue;
    least = distance;
    nearest = each;
  }
  return nearest;
}

function plain(name: string): string {
  return name.slice(0, 128).toLowerCase().replaceAll(/[_.-]/g, '');
}

/** The number of letters to insert, remove or replace; more than `mostDistance` is not counted further. */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > mostDistance) return mostDistance + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [y, letter] of [...a].entries()) {
    const next = [y + 1];
    for (let x = 0; x < b.length; x++) {
      const replaced = (row[x] ?? 0) + (b[x] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[x + 1] ?? 0) + 1, (next[x] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
