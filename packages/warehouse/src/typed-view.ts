import { createHash } from 'node:crypto';
import { type ColumnType, shownTypeText, storedTypeText } from './column-type.ts';
import { envelopeColumns } from './envelope-columns.ts';
import { eventsTable, onCluster, type WarehousePlace } from './events-table.ts';
import { quoteIdentifier, quotePath, quoteString } from './quote.ts';
import { freeName, type ViewColumn, type ViewVersion, viewColumns } from './view-columns.ts';

export interface TypedView {
  readonly projectId: string;
  readonly typeName: string;
  readonly description: string | null;
  /** All versions that were ever declared, in any order. */
  readonly versions: readonly ViewVersion[];
}

/** The view's name in SQL, quoted: `project_<id>`.`<type>`. */
export function viewName(projectId: string, typeName: string): string {
  return `${quoteIdentifier(projectDatabase(projectId))}.${quoteIdentifier(nameOfView(typeName))}`;
}

/**
 * What makes the view, in order. Each may be repeated, and run by two processes at once. Without FINAL, which made
 * queries on fresh parts four times dearer: the ledger and the tokens already keep events from being stored twice.
 */
export function createTypedView(place: WarehousePlace, view: TypedView): string[] {
  const on = onCluster(place);
  const columns = allColumns(view.versions);
  const shown = columns.map(({ name, type, comment }) => `${name} ${type} COMMENT ${quoteString(comment)}`);
  const read = columns.map(({ name, expression }) => `${expression} AS ${name}`);
  return [
    `CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(projectDatabase(view.projectId))}${on}`,
    `CREATE OR REPLACE VIEW ${viewName(view.projectId, view.typeName)}${on}
(
  ${shown.join(',\n  ')}
)
SQL SECURITY INVOKER
AS SELECT
  ${read.join(',\n  ')}
FROM ${eventsTable(place)} AS ${row}
WHERE ${row}.project = ${quoteString(view.projectId)} AND ${row}.type = ${quoteString(view.typeName)}
COMMENT ${quoteString(view.description ?? '')}`,
  ];
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly expression: string;
  readonly comment: string;
}

// A column's alias wins over the table's column in ClickHouse, and a member may be called `project`, `type` or
// `data`. So the table's columns are always named with the table in front; the space keeps it apart from members.
const row = '`stored event`';

/** Members have their plain names; a column of the envelope that meets one of them steps aside, as `<name>_`. */
function allColumns(versions: readonly ViewVersion[]): Column[] {
  const members = viewColumns(versions);
  const taken = new Set(members.map(({ name }) => name));
  const envelope = envelopeColumns.map(({ name, type, comment }) => {
    const shown = freeName(name, taken);
    taken.add(shown);
    return { name: quoteIdentifier(shown), type, comment, expression: `${row}.${name}` };
  });
  return [...envelope, ...members.map(memberColumn)];
}

function memberColumn({ name, path, stored, type, comment }: ViewColumn): Column {
  // A scalar that is absent is null; a list or map cannot be null in ClickHouse and is empty.
  const shown = shownTypeText(type.kind === 'scalar' ? { kind: 'nullable', of: type } : type);
  const parts = stored.map((of) => {
    const value = `${row}.data.${quotePath(path)}.:${quoteIdentifier(storedTypeText(of))}`;
    return isShownAs(of, type) ? value : `CAST(${value}, ${quoteString(shown)})`;
  });
  return { name: quoteIdentifier(name), type: shown, comment, expression: joined(parts, type.kind) };
}

function isShownAs(stored: ColumnType, type: ColumnType): boolean {
  return storedTypeText(stored) === shownTypeText(type);
}

/** At most one of the parts has a value in any one row. */
function joined(parts: readonly string[], kind: ColumnType['kind']): string {
  if (parts.length === 1) return parts.join('');
  const functions = {
    array: 'arrayConcat',
    map: 'mapConcat',
    scalar: 'coalesce',
    nullable: null,
    tuple: null,
  };
  const join = functions[kind];
  if (join === null) throw new RangeError(`no member is stored as a ${kind}`);
  return `${join}(${parts.join(', ')})`;
}

export function projectDatabase(projectId: string): string {
  return `project_${projectId.replace(/[^A-Za-z0-9]/g, '_')}`;
}

const typeNameRule = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;
const mostFileNameBytes = 150;

/** The type's own name, unless ClickHouse could not make a file for it: `.` and `-` take three bytes there. */
function nameOfView(typeName: string): string {
  if (!typeNameRule.test(typeName)) throw new RangeError(`not the name of an event type: ${typeName}`);
  const fileNameBytes = typeName.length + 2 * typeName.replace(/[^.-]/g, '').length;
  if (fileNameBytes <= mostFileNameBytes) return typeName;
  const digest = createHash('sha256').update(typeName).digest('hex').slice(0, 12);
  return `${typeName.slice(0, 40)}_${digest}`;
}
