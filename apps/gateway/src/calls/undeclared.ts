import { type SystemError, systemError } from '@tickrate/contract';
import { nearestName } from '@tickrate/platform';
import type { RegistryCache } from '@tickrate/registry';

/** Senders of unknown types may flood: so many refusals of a second look it up, and the others go without it. */
const mostLookUps = 20;

/** Adds to 8001 the nearest declared name and how to declare a type. Never rejects. */
export type ExplainUndeclared = (projectId: string, error: SystemError) => Promise<SystemError>;

export function createExplainUndeclared(
  registry: Pick<RegistryCache, 'declaredNames'>,
  now: () => number,
): ExplainUndeclared {
  let second = { sinceMs: Number.NEGATIVE_INFINITY, lookUps: 0 };
  return async (projectId, error) => {
    const { invalidIdentifier: name } = error.data;
    if (error.reason !== 'eventTypeNotFound' || typeof name !== 'string') return error;
    if (now() - second.sinceMs >= 1_000) second = { sinceMs: now(), lookUps: 0 };
    const names =
      second.lookUps++ < mostLookUps ? await registry.declaredNames(projectId).catch(() => []) : [];
    const nearest = nearestName(name, names);
    const advice = nearest === null ? '' : `did you mean '${nearest}'? Otherwise `;
    const fields = `eventType: ${advice}declare it in the console, or with \`npm run tickrate -- event-types declare FILE\``;
    return systemError('eventTypeNotFound', { invalidIdentifier: name }, { fields });
  };
}
