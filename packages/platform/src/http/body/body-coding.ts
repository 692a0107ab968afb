import type { IncomingMessage } from 'node:http';
import { type SystemError, systemError } from '@tickrate/contract';
import type { BodyCoding } from './inflate.ts';

const codings = new Map<string, BodyCoding | 'identity'>([
  ['identity', 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
]);

/**
 * The one coding of a body, or the reason not to read it: an unknown coding or several on top of each other, a type that
 * is not read, or a Content-Length above the limit.
 */
export function codingOf(
  { headers }: IncomingMessage,
  { types = [], limitBytes }: { readonly types?: readonly string[]; readonly limitBytes: number },
): BodyCoding | 'identity' | SystemError {
  const coding = codings.get((headers['content-encoding'] ?? 'identity').trim().toLowerCase());
  if (coding === undefined) return refusal('Content-Encoding: not one of gzip, deflate, br, zstd');
  if (!isReadType(headers['content-type'], types)) return refusal(unreadType(headers['content-type'], types));
  // The parser has checked that it is a number.
  const isTooLarge = Number(headers['content-length'] ?? 0) > limitBytes;
  return isTooLarge ? systemError('bodyTooLarge', { amount: limitBytes }) : coding;
}

function refusal(fields: string): SystemError {
  return systemError('contentTypeInvalid', {}, { fields });
}

const bodyTypes: readonly string[] = ['application/json', 'text/json', 'text/plain'];

/** Whether a body of this Content-Type is read as UTF-8 JSON text (or is one of `more`). None at all is. */
function isReadType(contentType: string | undefined, more: readonly string[]): boolean {
  if (contentType === undefined || contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const name = type.trim();
  const read = name === '' || bodyTypes.includes(name) || name.endsWith('+json') || more.includes(name);
  return read && parameters.every(isReadParameter);
}

/** What is wrong with a Content-Type, and what to send. `curl --data` names a form by itself. */
function unreadType(contentType: string | undefined, more: readonly string[]): string {
  const isForm = contentType?.startsWith('application/x-www-form-urlencoded') === true;
  const hint = isForm
    ? "; curl --data sends a form and removes line ends: add -H 'Content-Type: …', and send files with --data-binary"
    : '';
  const types = ['application/json', ...more.slice(0, 1)].join(' or ');
  return `Content-Type: '${contentType?.slice(0, 100) ?? ''}' is not read here; send ${types}, in UTF-8${hint}`;
}

function isReadParameter(parameter: string): boolean {
  const match = /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter);
  return match === null || ['utf-8', 'utf8', 'us-ascii'].includes(match[1] ?? '');
}
