import { quotedIdentifier, stringLiteral } from '../sql/literal.ts';
import type { RequestParams } from './request-params.ts';

/** Latin1 text (see the lexer) back to what the client sent. */
export function sent(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

const DEFERRED = new Set(['async_insert', 'wait_for_async_insert']);

/** What has to run on the connection before the statement, in one go; '' when nothing has to. */
export function preparation(params: RequestParams, readonly: boolean): string {
  const changes = [...params.settings]
    .filter(([name]) => !DEFERRED.has(name))
    .map(([name, value]) => `${name}=${stringLiteral(value)}`);
  const parameters = [...params.parameters].map(([name, value]) => `param_${name}=${stringLiteral(value)}`);
  const all = [...changes, ...parameters];
  return [
    params.roles.length > 0 ? `SET ROLE ${params.roles.map(quotedIdentifier).join(', ')}` : '',
    params.database === undefined ? '' : `USE ${quotedIdentifier(params.database)}`,
    all.length > 0 ? `SET ${all.join(', ')}` : '',
    // Last, or it would forbid the rest. A request may make itself stricter, never looser.
    readonly && !params.settings.has('readonly') ? 'SET readonly=2' : '',
  ]
    .filter((statement) => statement !== '')
    .join('; ');
}

const TO_FILE = /\s*INTO OUTFILE '[^']*' TRUNCATE( COMPRESSION '[a-z0-9]+')?/g;

/** Faults quote the statement: what we put into it is not the client's business. */
export function withoutOurs(message: string): string {
  return message.replace(TO_FILE, '').replace(/ FROM INFILE '[^']*'( COMPRESSION '[a-z0-9]+')?/g, '');
}
