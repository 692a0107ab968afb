import { errorCatalogue, type Reason } from '../error-catalogue.ts';
import type { Operation } from './operation.ts';

const always: readonly Reason[] = [
  'parameterInvalid',
  'requestTimeout',
  'temporarilyUnavailable',
  'internalException',
];
const withBody: readonly Reason[] = [
  'malformedJson',
  'bodyTypeInvalid',
  'bodyTooLarge',
  'contentTypeInvalid',
  'bodyNotDecodable',
];
const withKey: readonly Reason[] = [
  'apiKeyMissing',
  'apiKeyInvalid',
  'apiKeyKindNotPermitted',
  'originNotAllowed',
  'sessionExpired',
  'rateLimited',
];

/** Every error of a call, in the order of the catalogue's codes. */
export function refusalsOf(operation: Operation): readonly Reason[] {
  const reasons = new Set<Reason>([
    ...always,
    ...(operation.body ? withBody : []),
    ...(operation.keys.length > 0 ? withKey : []),
    ...(operation.scope === undefined ? [] : (['apiKeyScopeMissing'] as const)),
    ...(operation.refusals ?? []),
  ]);
  return [...reasons].toSorted((a, b) => errorCatalogue[a].code - errorCatalogue[b].code);
}
