/** The structure of the ClickHouse types that members are stored as. */
export type ColumnType =
  | { readonly kind: 'scalar'; readonly name: string }
  | { readonly kind: 'nullable'; readonly of: ColumnType }
  | { readonly kind: 'array'; readonly of: ColumnType }
  | { readonly kind: 'map'; readonly of: ColumnType }
  | { readonly kind: 'tuple'; readonly members: ReadonlyMap<string, ColumnType> };

/** Reads a type in the form that `StoredColumn` writes. Throws a RangeError for any other text. */
export function parseColumnType(text: string): ColumnType {
  const inner = /^(Array|Nullable|Map|Tuple)\((.*)\)$/s.exec(text);
  if (inner === null) {
    if (!/^[A-Za-z0-9]+(\(\d+\))?$/.test(text)) throw new RangeError(`not a stored type: ${text}`);
    return { kind: 'scalar', name: text };
  }
  const [, outer = '', content = ''] = inner;
  const parts = splitAtCommas(content);
  const first = parts[0] ?? '';
  if (outer === 'Tuple') return { kind: 'tuple', members: new Map(parts.map(parseMember)) };
  if (outer === 'Map') {
    if (first !== 'String' || parts.length !== 2) throw new RangeError(`not a stored type: ${text}`);
    return { kind: 'map', of: parseColumnType(parts[1] ?? '') };
  }
  if (parts.length !== 1) throw new RangeError(`not a stored type: ${text}`);
  return { kind: outer === 'Array' ? 'array' : 'nullable', of: parseColumnType(first) };
}

function parseMember(text: string): [string, ColumnType] {
  const [, name, type] = /^([A-Za-z_]\w*) (.*)$/s.exec(text) ?? [];
  if (name === undefined || type === undefined) throw new RangeError(`not a member of a tuple: ${text}`);
  return [name, parseColumnType(type)];
}

function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')') depth--;
    else if (text[at] === ',' && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, text.slice(start).trim()];
}

/** The stored type. The name of a subcolumn must match it exactly. */
export function storedTypeText(type: ColumnType): string {
  return typeText(type, (name) => name);
}

/** The type that a view shows: times are in UTC, independent of the server's time zone. */
export function shownTypeText(type: ColumnType): string {
  return typeText(type, (name) => name.replace(/^DateTime64\((\d)\)$/, "DateTime64($1, 'UTC')"));
}

function typeText(type: ColumnType, scalar: (name: string) => string): string {
  switch (type.kind) {
    case 'scalar':
      return scalar(type.name);
    case 'nullable':
      return `Nullable(${typeText(type.of, scalar)})`;
    case 'array':
      return `Array(${typeText(type.of, scalar)})`;
    case 'map':
      return `Map(String, ${typeText(type.of, scalar)})`;
    case 'tuple':
      return `Tuple(${[...type.members].map(([name, of]) => `${name} ${typeText(of, scalar)}`).join(', ')})`;
  }
}
