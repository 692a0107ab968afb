import type { StoredColumn } from '@tickrate/events';
import { type ColumnType, parseColumnType, storedTypeText } from './column-type.ts';

export interface ViewVersion {
  readonly version: number;
  readonly columns: readonly StoredColumn[];
}

/** A column of a typed view that shows a member. */
export interface ViewColumn {
  readonly name: string;
  readonly path: string;
  /** The stored types of the values in this column, newest first. */
  readonly stored: readonly ColumnType[];
  /** One type for all of them. */
  readonly type: ColumnType;
  readonly comment: string;
}

interface Group {
  readonly path: string;
  readonly stored: readonly ColumnType[];
  readonly type: ColumnType;
  /** The newest version that stores a type of this group. The column has its description. */
  readonly newest: { readonly version: number; readonly column: StoredColumn };
}

/**
 * The columns of a view over all versions. A member has one column under its own name while one type can show its
 * values. Values of an incompatible older type are in `<path>_v<N>`; N is the last version that stored them.
 */
export function viewColumns(versions: readonly ViewVersion[]): ViewColumn[] {
  const groups = groupByPath([...versions].sort((a, b) => b.version - a.version));
  const taken = new Set(groups.keys());
  return [...groups].flatMap(([path, ofPath]) =>
    ofPath.map((group, n) => {
      const name = n === 0 ? path : freeName(`${path}_v${group.newest.version}`, taken);
      taken.add(name);
      return { name, path, stored: group.stored, type: group.type, comment: commentOf(group, n > 0) };
    }),
  );
}

/** The name, with underscores appended until it is unique. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`${name}_`, taken) : name;
}

function groupByPath(newestFirst: readonly ViewVersion[]): Map<string, Group[]> {
  const groups = new Map<string, Group[]>();
  for (const { version, columns } of newestFirst) {
    for (const column of columns) {
      const ofPath = groups.get(column.path) ?? [];
      groups.set(column.path, ofPath);
      addTo(ofPath, { version, column });
    }
  }
  return groups;
}

function addTo(groups: Group[], member: { version: number; column: StoredColumn }): void {
  const type = parseColumnType(member.column.type);
  for (const [n, group] of groups.entries()) {
    const joint = widenType(group.type, type);
    if (joint === null) continue;
    const isNew = !group.stored.some((stored) => storedTypeText(stored) === storedTypeText(type));
    groups[n] = { ...group, type: joint, stored: isNew ? [...group.stored, type] : group.stored };
    return;
  }
  groups.push({ path: member.column.path, stored: [type], type, newest: member });
}

function commentOf({ newest }: Group, isOlderType: boolean): string {
  const { description, deprecated, personal } = newest.column;
  return [
    isOlderType ? `As stored up to version ${newest.version}.` : null,
    deprecated ? 'Deprecated.' : null,
    personal ? 'Personal datum.' : null,
    description,
  ]
    .filter((part) => part !== null && part !== '')
    .join(' ');
}

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
