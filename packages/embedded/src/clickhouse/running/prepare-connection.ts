import { type Connection, ID_SETTING } from '../engine/engine.ts';
import type { RequestParams } from '../request/request-params.ts';
import { quotedIdentifier, stringLiteral } from '../sql/literal.ts';

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
  const { bytes } = await connection.query(
    `SELECT name, value FROM system.settings WHERE name IN (${names}) UNION ALL SELECT '', currentDatabase()`,
    'JSONCompactEachRow',
  );
  const rows = Buffer.from(bytes)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as [string, string]);
  const back = rows.map(([name, value]) =>
    name === '' ? `USE ${quotedIdentifier(value)}` : `SET ${name}=${stringLiteral(value)}`,
  );
  return async () => {
    await connection.query(back.join('; '), 'Null');
  };
}
