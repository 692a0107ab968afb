import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Code, fault } from '../answer/http-fault.ts';
import type { RequestParams } from './request-params.ts';

export interface Account {
  readonly user: string;
  readonly password: string;
}

/**
 * Accepts one of Basic, X-ClickHouse-User and -Key, or `user` and `password` in the URL. Throws 516. False for a request
 * without a user: it gets 401, and one with a wrong password 403.
 */
export function authenticate(account: Account, headers: IncomingHttpHeaders, params: RequestParams): boolean {
  const given = [fromHeaders(headers), fromBasic(headers), fromUrl(params)].filter(
    (ways) => ways !== undefined,
  );
  if (given.length > 1) {
    throw fault(
      Code.authenticationFailed,
      'Invalid authentication: it is not allowed to use several ways at once',
    );
  }
  const [claim] = given;
  if (claim === undefined) return account.password === '' && account.user === 'default';
  const matches = [same(claim.user, account.user), same(claim.password, account.password)];
  if (matches.includes(false)) throw fault(Code.authenticationFailed, failed(claim.user));
  return true;
}

export function failed(user: string): string {
  return `${user}: Authentication failed: password is incorrect, or there is no user with such name.`;
}

function fromHeaders(headers: IncomingHttpHeaders): Account | undefined {
  const user = headers['x-clickhouse-user'];
  const password = headers['x-clickhouse-key'];
  if (user === undefined && password === undefined) return undefined;
  return { user: String(user ?? 'default'), password: String(password ?? '') };
}

function fromBasic(headers: IncomingHttpHeaders): Account | undefined {
  const encoded = /^Basic\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0
    ? { user: text, password: '' }
    : { user: text.slice(0, colon) || 'default', password: text.slice(colon + 1) };
}

function fromUrl({ user, password }: RequestParams): Account | undefined {
  if (user === undefined && password === undefined) return undefined;
  return { user: user ?? 'default', password: password ?? '' };
}

function same(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
