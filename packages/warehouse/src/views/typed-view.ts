import { createHash } from 'node:crypto';
import { quoteIdentifier, quotePath, quoteString } from '../quote.ts';
import { envelopeColumns, personalColumns, readColumn } from '../table/envelope-columns.ts';
import { eventsTable, onCluster, type WarehousePlace } from '../table/events-table.ts';
import { type ColumnType, shownTypeText, storedTypeText } from './column-type.ts';
import { freeName, type ViewColumn, type ViewVersion, viewColumns } from './view-columns.ts';

export interface TypedView {
  readonly projectId: string;
  readonly typeName: string;
  readonly description: string | null;
  /** All versions that were ever declared, in any order. */
  readonly versions: readonly ViewVersion[];
}

/** The quoted name of the view in SQL: `project_<id>`.`<type>`. */
export function viewName(projectId: string, typeName: string): string {
  return `${quoteIdentifier(projectDatabase(projectId))}.${quoteIdentifier(nameOfView(typeName))}`;
}

/**
 * The statements that create the view, in order. Each can be repeated, also concurrently by two processes. They do not
 * use FINAL, which made queries on fresh parts four times as expensive: the ledger and the tokens already prevent
 * duplicates.
 */
export function createTypedView(place: WarehousePlace, view: TypedView, definer: string | null): string[] {
  const database = projectDatabase(view.projectId);
  return [
    createDatabase(place, database),
    viewStatement(place, view, { database, columns: allColumns(view.versions), definer }),
  ];
}

/** The same in the project's other database, without accounts and members that any version marks as personal. */
export function createMaskedView(place: WarehousePlace, view: TypedView, definer: string | null): string {
  const database = maskedDatabase(view.projectId);
  return viewStatement(place, view, { database, columns: maskedColumns(view.versions), definer });
}

export function createDatabase(place: WarehousePlace, database: string): string {
  return `CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(database)}${onCluster(place)}`;
}

/**
 * The rights with which a view reads. With a definer, the server filters the rows of one project before any condition
 * of a query. Without one, the view has the rights of the caller.
 */
export function securityOf(definer: string | null): { readonly before: string; readonly altered: string } {
  if (definer === null) return { before: 'SQL SECURITY INVOKER', altered: 'SQL SECURITY INVOKER' };
  const name = quoteIdentifier(definer);
  return {
    before: `DEFINER = ${name} SQL SECURITY DEFINER`,
    altered: `SQL SECURITY DEFINER DEFINER = ${name}`,
  };
}

/** The columns of the view, by the names that a query uses. */
export function describeTypedView(view: TypedView, sight: 'whole' | 'masked') {
  const columns = sight === 'whole' ? allColumns(view.versions) : maskedColumns(view.versions);
  // Names of columns contain nothing that a quoted name escapes.
  const shown = columns.map(({ name, type, comment }) => ({ name: name.slice(1, -1), type, comment }));
  return { name: nameOfView(view.typeName), comment: view.description ?? '', columns: shown };
}

interface ViewParts {
  readonly database: string;
  readonly columns: readonly Column[];
  readonly definer: string | null;
}

function viewStatement(
  place: WarehousePlace,
  view: TypedView,
  { database, columns, definer }: ViewParts,
): string {
  const shown = columns.map(({ name, type, comment }) => `${name} ${type} COMMENT ${quoteString(comment)}`);
  const read = columns.map(({ name, expression }) => `${expression} AS ${name}`);
  return `CREATE OR REPLACE VIEW ${quoteIdentifier(database)}.${quoteIdentifier(nameOfView(view.typeName))}${onCluster(place)}
(
  ${shown.join(',\n  ')}
)
${securityOf(definer).before}
AS SELECT
  ${read.join(',\n  ')}
FROM ${eventsTable(place)} AS ${row}
WHERE ${row}.project = ${quoteString(view.projectId)} AND ${row}.type = ${quoteString(view.typeName)}
COMMENT ${quoteString(view.description ?? '')}`;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly expression: string;
  readonly comment: string;
}

// In ClickHouse an alias of a column takes precedence over the table's column, and a member can be called `project`,
// `type` or `data`. So columns of the table always have the table as a prefix; its space avoids a conflict with
// members.
const row = '`stored event`';

function allColumns(versions: readonly ViewVersion[]): Column[] {
  const members = viewColumns(versions);
  return [...envelopeOf(members).map(({ column }) => column), ...members.map(memberColumn)];
}

/** Each column has the same name as in the complete view. */
function maskedColumns(versions: readonly ViewVersion[]): Column[] {
  const members = viewColumns(versions);
  const personal = personalPaths(versions);
  return [
    ...envelopeOf(members).flatMap(({ name, column }) => (personalColumns.has(name) ? [] : [column])),
    ...members.filter(({ path }) => !personal.some((other) => touches(path, other))).map(memberColumn),
  ];
}

/** Members that any version marks as personal. */
export function personalPaths(versions: readonly ViewVersion[]): string[] {
  return versions.flatMap(({ columns }) =>
    columns.filter(({ personal }) => personal).map(({ path }) => path),
  );
}

/** A member can be a map in one version, and an object with members in another. */
function touches(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`) || other.startsWith(`${path}.`);
}

/** Members keep their names. A conflicting column of the envelope is renamed to `<name>_`. */
function envelopeOf(members: readonly ViewColumn[]) {
  const taken = new Set(members.map(({ name }) => name));
  return envelopeColumns.map(({ name, type, comment }) => {
    const shown = freeName(name, taken);
    taken.add(shown);
    const column: Column = { name: quoteIdentifier(shown), type, comment, expression: readColumn(row, name) };
    return { name, column };
  });
}

function memberColumn({ name, path, stored, type, comment }: ViewColumn): Column {
  // An absent scalar is null. A list or map cannot be null in ClickHouse and is empty.
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

/** In each row at most one of the parts has a value. */
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
  if (join === null) throw new RangeError(`No member is stored as a ${kind}`);
  return `${join}(${parts.join(', ')})`;
}

export function projectDatabase(projectId: string): string {
  return `project_${plain(projectId)}`;
}

/** The database of the views without personal data. */
export function maskedDatabase(projectId: string): string {
  return `masked_${plain(projectId)}`;
}

function plain(projectId: string): string {
  return projectId.replace(/[^A-Za-z0-9]/g, '_');
}

const typeNameRule = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;
const mostFileNameBytes = 150;
const shortenedName = /^.{40}_[0-9a-f]{12}$/;

/**
 * The name of the type, unless ClickHouse could not create a file for it (`.` and `-` take three bytes there) or it
 * could equal the shortened name of another type.
 */
function nameOfView(typeName: string): string {
  if (!typeNameRule.test(typeName)) throw new RangeError(`not the name of an event type: ${typeName}`);
  const fileNameBytes = typeName.length + 2 * typeName.replace(/[^.-]/g, '').length;
  if (fileNameBytes <= mostFileNameBytes && !shortenedName.test(typeName)) return typeName;
  const digest = createHash('sha256').update(typeName).digest('hex').slice(0, 12);
  return `${typeName.slice(0, 40)}_${digest}`;
}
