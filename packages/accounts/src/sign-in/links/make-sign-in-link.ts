import { createHash } from 'node:crypto';
import type { RandomBytes } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import { inRealm } from '../../store/in-realm.ts';
import { insertSignInLink } from './sign-in-links.ts';

export interface SignInLinkRequest {
  /** Null for the owner of the installation or, without one, its oldest administrator. */
  readonly folded: string | null;
  /** The address of the console. */
  readonly consoleUrl: string;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
}

export interface SignInLink {
  readonly url: string;
  readonly emailAddress: string;
  readonly expiresMs: number;
}

const validMs = 10 * 60_000;

/**
 * Creates a link that signs an administrator in at the console, once, for a caller who can write to the database. The
 * token is behind the `#`: browsers send it to no server. Null if there is no such administrator.
 */
export async function makeSignInLink(
  db: Queryable,
  { folded, consoleUrl, now, randomBytes }: SignInLinkRequest,
): Promise<SignInLink | null> {
  const token = Buffer.from(randomBytes(32)).toString('base64url');
  const nowMs = now();
  const expiresMs = nowMs + validMs;
  const people = inRealm(db, 'installation');
  const holder = await insertSignInLink(people, { hash: hashLinkToken(token), folded, expiresMs, nowMs });
  if (holder === null) return null;
  const { emailAddress } = holder;
  return { emailAddress, expiresMs, url: `${consoleUrl.replace(/\/$/, '')}/sign-in#link=${token}` };
}

export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
