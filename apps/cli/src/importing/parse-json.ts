import { type ExactJson, parseExactDocument } from '@tickrate/contract';

/** A number with this many digits may not fit into a double. */
const maybeWide = /\d{16}/;

/** `JSON.parse` rounds integers above 2^53. Here they become decimal texts with every digit, which the gateway accepts. */
export function parseJson(text: string): unknown {
  return maybeWide.test(text) ? plain(parseExactDocument(Buffer.from(text))) : JSON.parse(text);
}

function plain(value: ExactJson): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, of]) => [name, plain(of)]));
  return Array.isArray(value) ? value.map(plain) : value;
}
