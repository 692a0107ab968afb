import type { StoredColumn } from '@tickrate/events';
import { type ColumnType, parseColumnType, storedTypeText } from './column-type.ts';
import { widenType } from './widen-type.ts';

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
