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
