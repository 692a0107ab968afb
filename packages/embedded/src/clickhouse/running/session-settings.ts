import type { Connection } from '../engine/engine.ts';
import type { RequestParams } from '../request/request-params.ts';
import { quotedIdentifier, stringLiteral } from '../sql/literal.ts';

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
