import { createApiKeyText, createNamedId, hashApiKey, type SessionRecord } from '@tickrate/contract';
import type { Accounts } from '../accounts.ts';
import type { InRealm } from '../store/in-realm.ts';
import {
  type DecidedSession,
  insertSession,
  type Profile,
  type SessionRow,
  sessionLimits,
} from './sessions.ts';

export interface SessionPlan extends DecidedSession {
  /** The session whose key was sent with the request. */
  readonly live: SessionRow | null;
  /**
   * The session whose key alone opened this one. A key does not prove credentials again and cannot extend its own
   * lifetime.
   */
  readonly comesOf: SessionRow | null;
}

/**
 * Creates the session and its key in the caller's transaction. The text of the key is returned only once. Null if the
 * account was banned or archived meanwhile.
 */
export async function issueSession(
  { randomBytes, keyring, now }: Accounts,
  people: InRealm,
  plan: SessionPlan,
): Promise<SessionRecord | null> {
  const nowMs = now();
  const { comesOf } = plan;
  const longestMs = people.realm === 'installation' ? sessionLimits.administratorMs : sessionLimits.playerMs;
  const absoluteExpiresMs = comesOf?.absolute_expires.getTime() ?? nowMs + longestMs;
  const expiresMs = Math.min(nowMs + sessionLimits.renewalMs, absoluteExpiresMs);
  const id = createNamedId('us', randomBytes);
  const apiKey = createApiKeyText('session', randomBytes);
  const secretKey = Buffer.from(randomBytes(32)).toString('base64url');
  const account = await insertSession(people, {
    ...plan,
    id,
    keyHash: hashApiKey(apiKey),
    secretHash: keyring.mac('session secret', secretKey),
    startMs: nowMs,
    provenMs: comesOf?.proven.getTime() ?? nowMs,
    expiresMs,
    absoluteExpiresMs,
    liveId: plan.live?.id ?? null,
  });
  if (account === null) return null;
  return {
    id,
    accountId: plan.accountId,
    projectId: plan.projectId,
    apiKey,
    secretKey,
    start: seconds(nowMs),
    expiry: seconds(expiresMs),
    absoluteExpiry: seconds(absoluteExpiresMs),
    metered: plan.metered,
    billedMinutes: 0,
    profile: profileOf(account),
    role: plan.role,
    amr: [...plan.amr],
    newAccount: plan.newAccount,
  };
}

/** A session as it is read later: with the key that the reader sent, and without the secret. */
export function sessionRecord(
  row: SessionRow,
  {
    account,
    apiKey,
    nowMs,
  }: { readonly account: Profile | null; readonly apiKey: string; readonly nowMs: number },
): SessionRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    projectId: row.project_id,
    apiKey,
    secretKey: null,
    start: seconds(row.started.getTime()),
    expiry: seconds(row.expires.getTime()),
    absoluteExpiry: seconds(row.absolute_expires.getTime()),
    metered: row.metered,
    billedMinutes: billedMinutes(row, nowMs),
    profile: account && profileOf(account),
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

function profileOf(account: Profile): SessionRecord['profile'] {
  return { displayName: account.display_name, avatarUrl: account.avatar_url, locale: account.locale };
}
