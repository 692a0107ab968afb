import {
  createApiKeyText,
  createNamedId,
  hashApiKey,
  type SessionRecord,
  systemError,
} from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';
import type { IdentityKey } from '../people/identities.ts';
import type { InRealm } from '../store/in-realm.ts';

const hourMs = 3_600_000;

/** How long a session lasts: an hour from its last renewal, up to an absolute end. */
export const sessionLimits = {
  renewalMs: hourMs,
  playerMs: 30 * 24 * hourMs,
  administratorMs: 12 * hourMs,
} as const;

export interface SessionRow {
  readonly id: string;
  readonly account_id: string;
  readonly realm: string;
  readonly project_id: string;
  readonly role: string;
  readonly amr: readonly string[];
  readonly metered: boolean;
  readonly new_account: boolean;
  readonly started: Date;
  /** When credentials were last proven. */
  readonly proven: Date;
  readonly expires: Date;
  readonly absolute_expires: Date;
  readonly ended: Date | null;
}

interface Profile {
  readonly displayName: string | null;
  readonly avatarUrl: string | null;
  readonly locale: string | null;
}

interface SessionPlan {
  readonly accountId: string;
  readonly projectId: string;
  readonly role: string;
  /** The scopes of an administrator's session; empty for a player. */
  readonly scopes: readonly string[];
  readonly amr: readonly string[];
  readonly newAccount: boolean;
  readonly metered: boolean;
  /** The identities that proved it. */
  readonly openedBy: readonly IdentityKey[];
  readonly clientAddress: string;
  /** The hash of its secret, which only its caller gets. */
  readonly secretHash: Buffer;
  /** The live session whose key was sent with the request: its identities count too. */
  readonly live: SessionRow | null;
  /** When credentials were last proven; null for now. */
  readonly proven: Date | null;
  /** The latest end. Null for the one of the realm: a key cannot extend its own lifetime. */
  readonly absoluteExpires: Date | null;
}

/**
 * Creates the session and its key in the caller's transaction. The text of the key is returned only once. Null if the
 * account was banned or archived meanwhile: the lock orders the two.
 */
export async function issueSession(
  { randomBytes, now }: Pick<Accounts, 'randomBytes' | 'now'>,
  people: InRealm,
  plan: SessionPlan,
): Promise<{ readonly session: SessionRow & Profile; readonly apiKey: string } | null> {
  const nowMs = now();
  const longestMs = people.realm === 'installation' ? sessionLimits.administratorMs : sessionLimits.playerMs;
  const absoluteExpiresMs = plan.absoluteExpires?.getTime() ?? nowMs + longestMs;
  const apiKey = createApiKeyText('session', randomBytes);
  const [session] = await people.rows<SessionRow & Profile>(
    `WITH made AS (
       INSERT INTO auth.sessions (realm, id, account_id, project_id, key_hash, secret_hash, role, amr, metered, new_account,
         started, proven, expires, absolute_expires, client_address, opened_by)
       SELECT $1, $2, a.id, $4, $5, $6, $7, $8, $9, $10, $11, $16, $12, $13, $14,
         ARRAY(SELECT i.id FROM auth.identities i
           JOIN unnest($17::text[], $18::text[], $19::text[]) AS asked (provider, tenant, subject)
             USING (provider, tenant, subject) WHERE i.realm = $1 AND i.account_id = a.id
           UNION SELECT unnest(l.opened_by) FROM auth.sessions l WHERE l.id = $20 AND l.account_id = a.id)
       FROM auth.accounts a
       WHERE a.realm = $1 AND a.id = $3 AND a.archived IS NULL AND (a.banned IS NULL OR a.ban_expires <= $11)
       FOR KEY SHARE RETURNING ${sessionColumns}, key_hash),
     keys AS (
       INSERT INTO registry.session_keys (hash, session_id, account_id, project_id, scopes, expires)
       SELECT key_hash, id, account_id, project_id, $15, expires FROM made)
     SELECT made.*, a.display_name AS "displayName", a.avatar_url AS "avatarUrl", a.locale
       FROM made JOIN auth.accounts a ON a.id = made.account_id`,
    [
      createNamedId('us', randomBytes),
      plan.accountId,
      plan.projectId,
      hashApiKey(apiKey),
      plan.secretHash,
      plan.role,
      plan.amr,
      plan.metered,
      plan.newAccount,
      new Date(nowMs),
      new Date(Math.min(nowMs + sessionLimits.renewalMs, absoluteExpiresMs)),
      new Date(absoluteExpiresMs),
      plan.clientAddress,
      plan.scopes,
      plan.proven ?? new Date(nowMs),
      plan.openedBy.map((key) => key.provider),
      plan.openedBy.map((key) => key.tenant),
      plan.openedBy.map((key) => key.subject),
      plan.live?.id ?? null,
    ],
  );
  return session ? { session, apiKey } : null;
}

interface ShownSession {
  readonly account: Profile | null;
  /** The key that the reader sent. */
  readonly apiKey: string;
  /** Only for the caller who has just opened it. */
  readonly secretKey?: string;
  readonly nowMs: number;
}

export function sessionRecord(
  row: SessionRow,
  { account, apiKey, secretKey, nowMs }: ShownSession,
): SessionRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    projectId: row.project_id,
    apiKey,
    secretKey: secretKey ?? null,
    start: seconds(row.started.getTime()),
    expiry: seconds(row.expires.getTime()),
    absoluteExpiry: seconds(row.absolute_expires.getTime()),
    metered: row.metered,
    billedMinutes: billedMinutes(row, nowMs),
    profile: account && {
      displayName: account.displayName,
      avatarUrl: account.avatarUrl,
      locale: account.locale,
    },
    role: row.role,
    amr: [...row.amr],
    newAccount: row.new_account,
  };
}

/** The full minutes of a metered session until its end or until now; 0 for other sessions. */
function billedMinutes({ metered, started, ended }: SessionRow, nowMs: number): number {
  const untilMs = ended?.getTime() ?? nowMs;
  return metered ? Math.max(0, Math.floor((untilMs - started.getTime()) / 60_000)) : 0;
}

function seconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}

export const sessionColumns = `id, account_id, realm, project_id, role, amr, metered, new_account, started, proven, expires,
  absolute_expires, ended`;

/** Including an ended one. The key determines the realm: this is the only read of people without a realm. */
export async function findSession(db: Queryable, keyHash: Buffer): Promise<SessionRow | null> {
  const [row] = await db.query<SessionRow>(
    `SELECT ${sessionColumns} FROM auth.sessions WHERE key_hash = $1`,
    [keyHash],
  );
  return row ?? null;
}

export function findLiveSessions(people: InRealm, accountId: string, nowMs: number): Promise<SessionRow[]> {
  return people.rows<SessionRow>(
    `SELECT ${sessionColumns} FROM auth.sessions WHERE realm = $1 AND account_id = $2 AND ended IS NULL AND expires > $3 ORDER BY started, id`,
    [accountId, new Date(nowMs)],
  );
}

/**
 * Until the caller's transaction ends, no other transaction creates sessions of these accounts or ends all of them. In
 * one order.
 */
export async function lockAccounts(people: InRealm, ids: readonly string[]): Promise<void> {
  const sql = 'SELECT FROM auth.accounts WHERE realm = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE';
  await people.rows(sql, [ids]);
}

/**
 * Locks the account of the session. Throws 2004 if the session has ended, or was erased with its account: of two callers
 * who end each other's sessions at the same time, the second one changes nothing.
 */
export async function holdSession(people: InRealm, session: SessionRow, nowMs: number): Promise<void> {
  await lockAccounts(people, [session.account_id]);
  const live = await findLiveSessions(people, session.account_id, nowMs);
  if (!live.some(({ id }) => id === session.id)) throw sessionOver(session);
}

/** Another call has ended the session meanwhile. */
export function sessionOver({ id }: SessionRow): Error {
  return systemError('sessionExpired', { invalidSessionId: id });
}

interface SessionEnd {
  readonly accountId: string;
  /** One session; null ends all sessions of the account. */
  readonly sessionId: string | null;
  readonly except?: string | null;
  /** Only sessions that were opened by one of these identities. */
  readonly openedBy?: readonly string[];
  readonly reason: string;
  readonly nowMs: number;
}

/**
 * Effective on every process within a second: the change log of the registry contains the keys. Ending all sessions of
 * an account includes those that are being created: such a sign-in either has committed, or waits and then sees the
 * change.
 */
export async function endSessions(people: InRealm, end: SessionEnd): Promise<number> {
  if (end.sessionId === null) await lockAccounts(people, [end.accountId]);
  const ended = await people.rows(
    `WITH over AS (
       UPDATE auth.sessions SET ended = $4, end_reason = $5
       WHERE realm = $1 AND account_id = $2 AND ($3::text IS NULL OR id = $3) AND ($6::text IS NULL OR id <> $6)
         AND ($7::uuid[] IS NULL OR opened_by && $7)
         AND ended IS NULL RETURNING id),
     keys AS (
       UPDATE registry.session_keys k SET ended = $4 FROM over o WHERE k.session_id = o.id AND k.ended IS NULL)
     SELECT id FROM over`,
    [end.accountId, end.sessionId, new Date(end.nowMs), end.reason, end.except ?? null, end.openedBy ?? null],
  );
  return ended.length;
}
