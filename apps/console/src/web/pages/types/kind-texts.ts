import { defineTexts } from '../../texts/define-texts.ts';

type Word =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'object'
  | 'array'
  | 'map'
  | 'enum'
  | 'any'
  | 'other'
  | 'date-time'
  | 'date'
  | 'email'
  | 'uri'
  | 'uuid'
  | 'ipv4'
  | 'ipv6'
  | 'int32'
  | 'int64'
  | 'uint64';

/** A kind is a type of JSON Schema, with its format after a point, or several types with a bar between them. */
const kindIn = (words: Readonly<Record<Word, string>>) => (kind: string) =>
  kind
    .split(/( · | \| )/)
    .map((word) => (Object.hasOwn(words, word) ? words[word as Word] : word))
    .join('');

const formats = { uuid: 'UUID', ipv4: 'IPv4', ipv6: 'IPv6', uri: 'URI' };

/** What a member holds, in words. An unknown format keeps its name. */
export const kindTexts = defineTexts(
  {
    kind: kindIn({
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
    }),
  },
  {
    kind: kindIn({
      ...formats,
      string: 'Text',
      integer: 'ganze Zahl',
      number: 'Zahl',
      boolean: 'wahr oder falsch',
      object: 'Objekt',
      array: 'Liste',
      map: 'Zuordnung',
      enum: 'feste Werte',
      any: 'beliebig',
      other: 'anderes (JSON)',
      'date-time': 'Zeitpunkt',
      date: 'Tag',
      email: 'E-Mail-Adresse',
      int32: '32 Bit',
      int64: '64 Bit',
      uint64: '64 Bit, ab 0',
    }),
  },
);
