import type { ExactJson } from './exact-json.ts';

/** Writes a value in its shortest form: no white space, only the escapes that JSON requires, exact integers. */
export function writeJson(value: ExactJson): Buffer {
  return Buffer.from(jsonText(value));
}

function jsonText(value: ExactJson): string {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Map) {
    const members = [...value].map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`);
    return `{${members.join(',')}}`;
  }
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}
