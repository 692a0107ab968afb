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
export const kindIn = (words: Readonly<Record<Word, string>>) => (kind: string) =>
  kind
    .split(/( · | \| )/)
    .map((word) => (Object.hasOwn(words, word) ? words[word as Word] : word))
    .join('');

export const formats = { uuid: 'UUID', ipv4: 'IPv4', ipv6: 'IPv6', uri: 'URI' };
