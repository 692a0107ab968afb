import { ID_SETTING } from '../engine/engine.ts';
import type { RequestParams } from '../request/request-params.ts';
import { quotedIdentifier, stringLiteral } from '../sql/literal.ts';
import type { ReadonlyLevel } from './readonly.ts';

/** Converts latin1 text (see the lexer) back to the client's text. */
export function sent(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

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

export function readonlySetting(level: ReadonlyLevel): string {
  return `SET readonly=${level}`;
}
