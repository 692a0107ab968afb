import { Code, fault } from '../answer/http-fault.ts';
import { type Connection, ID_SETTING, queryRows } from '../engine/engine.ts';
import type { ExternalTable } from '../request/request-form.ts';
import type { RequestParams } from '../request/request-params.ts';
import { isIdentifier, quotedIdentifier, stringLiteral } from '../sql/literal.ts';
import type { TemporaryTables } from './temporary-tables.ts';

const OURS = new Set(['async_insert', 'wait_for_async_insert', 'readonly']);

/** The statements to run on the connection before this one, in one go; '' for none. A session needs the query's id. */
export function preparation(params: RequestParams, idInSession: string | undefined): string {
  const changes = [...params.settings]
    .filter(([name]) => !OURS.has(name))
    .map(([name, value]) => `${name}=${stringLiteral(value)}`);
  const parameters = [...params.parameters].map(([name, value]) => `param_${name}=${stringLiteral(value)}`);
  const id = idInSession === undefined ? [] : [`${ID_SETTING}=${stringLiteral(idInSession)}`];
  const all = [...id, ...changes, ...parameters];
  return [
    params.roles.length > 0 ? `SET ROLE ${params.roles.map(quotedIdentifier).join(', ')}` : '',
    params.database === undefined ? '' : `USE ${quotedIdentifier(params.database)}`,
    all.length > 0 ? `SET ${all.join(', ')}` : '',
  ]
    .filter((statement) => statement !== '')
    .join('; ');
}

/**
 * Settings and database in a request's URL apply to that request only: the values of the session are restored after it.
 */
export async function rememberSession(
  connection: Connection,
  params: RequestParams,
): Promise<() => Promise<void>> {
  if (params.database === undefined && params.settings.size === 0) return async () => undefined;
  const names = [...params.settings.keys()].map(stringLiteral).join(', ') || "''";
  const rows = await queryRows<[string, string]>(
    connection,
    `SELECT name, value FROM system.settings WHERE name IN (${names}) UNION ALL SELECT '', currentDatabase()`,
  );
  const back = rows.map(([name, value]) =>
    name === '' ? `USE ${quotedIdentifier(value)}` : `SET ${name}=${stringLiteral(value)}`,
  );
  return async () => {
    await connection.query(back.join('; '), 'Null');
  };
}

/** Creates the tables of a form as temporary tables. */
export async function openExternalTables(
  tables: TemporaryTables,
  sent: readonly ExternalTable[],
): Promise<void> {
  for (const { name, format, structure, data } of sent) {
    if (!isIdentifier(format)) throw fault(Code.unknownFormat, `Unknown format ${format}`);
    const table = quotedIdentifier(name);
    await tables.create(table, `(${structure}) ENGINE = Memory`);
    if (data.size > 0) await tables.insert(table, format, data.stream());
  }
}
