/** The member of parsed JSON at that path; undefined if it is missing. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}

/** The text at that path; null if it is missing or empty, or contains a NUL, which PostgreSQL cannot store. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = memberAt(value, ...path);
  return typeof found === 'string' && found !== '' && !found.includes('\0') ? found : null;
}
