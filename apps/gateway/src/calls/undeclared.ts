import { type SystemError, systemError } from '@tickrate/contract';
import { nearestName } from '@tickrate/platform';
import type { RegistryCache } from '@tickrate/registry';

/** Senders of unknown types may flood: at most one look-up in this time, and every other refusal goes without it. */
const betweenMs = 50;

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
    const nearest = nearestName(name, names);
    const advice = nearest === null ? '' : `did you mean '${nearest}'? Otherwise `;
    const fields = `eventType: ${advice}declare it in the console, or with \`npm run tickrate -- event-types declare FILE\``;
    return systemError('eventTypeNotFound', { invalidIdentifier: name }, { fields });
  };
}
