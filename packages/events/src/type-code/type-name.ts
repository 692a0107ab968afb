import type { IntegerFormat, ScalarShape } from '../declaration/shape.ts';

/** `level_up` and `level.up` as a type name in code: `LevelUp`. */
export function typeName(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(joined) ? joined : `_${joined}`;
}

/** Returns the first free name of `name`, `name2`, `name3` …, and marks it as used. */
export function untaken(name: string, taken: Set<string>): string {
  let candidate = name;
  for (let count = 2; taken.has(candidate); count++) candidate = `${name}${count}`;
  taken.add(candidate);
  return candidate;
}

/** The type of a scalar in code, by the names that a language has for them. */
export function scalarName(
  shape: ScalarShape,
  names: Readonly<Record<'boolean' | 'number' | 'string' | IntegerFormat, string>>,
): string {
  return names[shape.kind === 'integer' ? (shape.format ?? 'int64') : shape.kind];
}

export function indented(lines: readonly string[], indent: string): string[] {
  return lines.map((line) => (line === '' ? '' : indent + line));
}
