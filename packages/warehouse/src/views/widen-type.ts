import { type ColumnType, storedTypeText } from './column-type.ts';

/** By the wider of two numeric types. Int128 is the narrowest type for both kinds of 64 bits. */
const wider: Readonly<Record<string, string>> = {
  'Int32 Int64': 'Int64',
  'Float64 Int32': 'Float64',
  'Float64 Int64': 'Float64',
  'Float64 UInt64': 'Float64',
  'Float64 Int128': 'Float64',
  'Int32 UInt64': 'Int128',
  'Int64 UInt64': 'Int128',
  'Int128 Int32': 'Int128',
  'Int128 Int64': 'Int128',
  'Int128 UInt64': 'Int128',
};

/**
 * Returns the one type that shows the values of both, or null if they cannot share a column. Numbers widen. Records are
 * merged by the names of their members; a member that one of them lacks is null there.
 */
export function widenType(a: ColumnType, b: ColumnType): ColumnType | null {
  if (storedTypeText(a) === storedTypeText(b)) return a;
  if (a.kind === 'nullable') return orNullUnless(widenType(a.of, b.kind === 'nullable' ? b.of : b));
  if (b.kind === 'nullable') return orNullUnless(widenType(a, b.of));
  switch (a.kind) {
    case 'scalar':
      return b.kind === 'scalar' ? widerNumber(a.name, b.name) : null;
    case 'tuple':
      return b.kind === 'tuple' ? joinTuples(a.members, b.members) : null;
    default:
      return b.kind === a.kind ? widenItems(a, b.of) : null;
  }
}

function widerNumber(a: string, b: string): ColumnType | null {
  const name = wider[[a, b].sort().join(' ')];
  return name === undefined ? null : { kind: 'scalar', name };
}

function widenItems(list: { kind: 'array' | 'map'; of: ColumnType }, items: ColumnType): ColumnType | null {
  const of = widenType(list.of, items);
  return of === null ? null : { kind: list.kind, of };
}

function orNullUnless(type: ColumnType | null): ColumnType | null {
  return type === null ? null : orNull(type);
}

function joinTuples(
  a: ReadonlyMap<string, ColumnType>,
  b: ReadonlyMap<string, ColumnType>,
): ColumnType | null {
  const members = new Map<string, ColumnType>();
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [inA, inB] = [a.get(name), b.get(name)];
    const only = inA ?? inB;
    const type = inA === undefined || inB === undefined ? only && orNull(only) : widenType(inA, inB);
    if (type === null || type === undefined) return null;
    members.set(name, type);
  }
  return { kind: 'tuple', members };
}

/** Lists and maps cannot be null in ClickHouse: they are empty. Records cannot either: their members are null. */
function orNull(type: ColumnType): ColumnType {
  switch (type.kind) {
    case 'scalar':
      return { kind: 'nullable', of: type };
    case 'tuple':
      return { kind: 'tuple', members: new Map([...type.members].map(([name, of]) => [name, orNull(of)])) };
    default:
      return type;
  }
}
