import { defineTexts } from '../../texts/define-texts.ts';

export const formats = { uuid: 'UUID', ipv4: 'IPv4', ipv6: 'IPv6', uri: 'URI' };
const words = {
  ...formats,
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  array: 'list',
  map: 'map',
  enum: 'fixed values',
  any: 'anything',
  other: 'other (JSON)',
  'date-time': 'time',
  date: 'day',
  email: 'e-mail address',
  int32: '32 bits',
  int64: '64 bits',
  uint64: '64 bits, from 0',
};

/** A kind is a type of JSON Schema, with its format after a point, or several types with a bar between them. */
export const kindIn = (names: Readonly<Record<keyof typeof words, string>>) => (kind: string) =>
  kind
    .split(/( · | \| )/)
    .map((word) => (Object.hasOwn(names, word) ? names[word as keyof typeof words] : word))
    .join('');

/** What a member holds, in words. An unknown format keeps its name. */
export const kindTexts = defineTexts('kind', { kind: kindIn(words) });
