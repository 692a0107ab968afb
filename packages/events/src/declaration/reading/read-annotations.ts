import type { Annotations, Shape } from '../shape.ts';
import { fault, inside, type Place } from './declaration-faults.ts';
import type { Keywords } from './read-scalar.ts';

export const annotationKeywords = [
  'title',
  'description',
  'examples',
  'deprecated',
  'x-personal',
  'x-occurred-at',
];

export function readAnnotations(schema: Keywords, place: Place, counts: { occurredAt: number }): Annotations {
  const text = (keyword: string): string | null => {
    const value = schema[keyword];
    if (value === undefined || typeof value === 'string') return value ?? null;
    fault(place, keyword, 'must be a string');
    return null;
  };
  const flag = (keyword: string): boolean => {
    const value = schema[keyword];
    if (value !== undefined && typeof value !== 'boolean') fault(place, keyword, 'must be true or false');
    return value === true;
  };
  if (schema['examples'] !== undefined && !Array.isArray(schema['examples']))
    fault(place, 'examples', 'must be a list');
  const occurredAt = flag('x-occurred-at');
  if (occurredAt && ++counts.occurredAt > 1) {
    fault(place, 'x-occurred-at', 'can be set on one member only');
  }
  return {
    title: text('title'),
    description: text('description'),
    deprecated: flag('deprecated'),
    personal: flag('x-personal'),
    occurredAt,
  };
}

/** Everybody reads the time of an event: it cannot be personal, or within a personal object. */
export function checkPersonalTime(shape: Shape | null, place: Place, isPersonal = false): void {
  if (shape?.kind !== 'object') return;
  for (const { name, shape: member } of shape.members) {
    const at = inside(place, 'properties', name);
    const isPersonalHere = isPersonal || member.annotations.personal;
    if (isPersonalHere && member.annotations.occurredAt) fault(at, 'x-occurred-at', 'cannot be personal');
    checkPersonalTime(member, at, isPersonalHere);
  }
}
