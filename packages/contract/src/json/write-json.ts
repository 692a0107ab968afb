import type { ExactJson } from './exact-json.ts';

/** The plainest spelling of a value: no white space, no escapes that JSON does not ask for, integers exact. */
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
