import type { AnswerOf } from '../../../api/call.ts';
import type { Problem } from '../../../api/problem.ts';

export type PolicyName = AnswerOf<'GET /v1/policies/{name}'>['name'];
export type PolicyValue = Readonly<Record<string, unknown>>;

/** The names of the members that lead to a value. Names can contain dots. */
export type Path = readonly string[];

/** An edit that is not saved yet. `to: undefined` removes the member. */
export interface Change {
  readonly path: Path;
  readonly to: unknown;
}

/** The stored value with the edits, so that nobody's change of another member is lost. */
export function applyChanges(stored: PolicyValue, changes: readonly Change[]): PolicyValue {
  return changes.reduce((value, { path, to }) => withMember(value, path, to), stored);
}

function withMember(value: PolicyValue, [name, ...rest]: Path, to: unknown): PolicyValue {
  if (name === undefined) return value;
  const before = valueAt(value, [name]);
  const after = rest.length === 0 ? to : withMember(asObject(before), rest, to);
  const entries = Object.entries(value);
  const changed = Object.hasOwn(value, name)
    ? entries.map(([key, old]) => [key, key === name ? after : old] as const)
    : [...entries, [name, after] as const];
  // Not by assignment: a member can be called `__proto__`.
  return Object.fromEntries(changed.filter(([, member]) => member !== undefined));
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, name) => (Object.hasOwn(asObject(at), name) ? asObject(at)[name] : undefined),
    value,
  );
}

export function asObject(value: unknown): PolicyValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Without the spaces and empty lines of lists that are typed line by line. */
export function cleanValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => String(each).trim()).filter((each) => each !== '');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleanValue(member)]));
}

/** A whole number as a number. Anything else stays as it was typed: the server says what is wrong with it. */
export function readNumber(text: string): number | string {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : text;
}

/** Why the server refused the value at this path or below it; null if it did not. */
export function faultAt(problem: Problem | null, path: Path): string | null {
  const refused = problem?.parameterName;
  const place = ['value', ...path].join('.');
  if (refused !== place && refused?.startsWith(`${place}.`) !== true) return null;
  const reason = problem?.data['parameterInvalidReason'];
  return typeof reason === 'string' ? reason : (problem?.message ?? null);
}
