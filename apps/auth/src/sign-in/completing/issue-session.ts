import {
  type AccountRow,
  type IdentityKey,
  type InRealm,
  insertSession,
  type Profile,
  type SessionRow,
  sessionLimits,
} from '@tickrate/accounts';
import { createApiKeyText, createNamedId, hashApiKey, type SessionRecord } from '@tickrate/contract';
import { type Ground, installationRealm, type SignIn } from '../sign-in.ts';
import { SignInRaced } from '../sign-in-raced.ts';

export interface SessionPlan {
  readonly accountId: string;
  readonly projectId: string;
  readonly role: string;
  /** The scopes of an administrator's session; empty for a player. */
  readonly scopes: readonly string[];
  readonly amr: readonly string[];
  readonly newAccount: boolean;
  /**
   * The session whose key alone opened this one. A key does not prove credentials again and cannot extend its own
   * lifetime.
   */
  readonly comesOf: SessionRow | null;
  readonly openedBy: readonly IdentityKey[];
}

/** Creates the session and its key in the caller's transaction. The text of the key is returned only once. */
export async function issueSession(
  ground: Ground,
  people: InRealm,
  { signIn, plan }: { readonly signIn: SignIn; readonly plan: SessionPlan },
): Promise<SessionRecord> {
  const { randomBytes, keyring } = ground;
  const nowMs = ground.now();
  const { comesOf } = plan;
  const absoluteExpiresMs = comesOf?.absolute_expires.getTime() ?? nowMs + absoluteMs(signIn);
  const expiresMs = Math.min(nowMs + sessionLimits.renewalMs, absoluteExpiresMs);
  const id = createNamedId('us', randomBytes);
  const apiKey = createApiKeyText('session', randomBytes);
  const secretKey = Buffer.from(randomBytes(32)).toString('base64url');
  const metered = signIn.request.metered ?? false;
  const account = await insertSession(people, {
    ...plan,
    id,
    keyHash: hashApiKey(apiKey),
    secretHash: keyring.mac('session secret', secretKey),
    metered,
    startMs: nowMs,
    provenMs: comesOf?.proven.getTime() ?? nowMs,
    expiresMs,
    absoluteExpiresMs,
    clientAddress: signIn.clientAddress,
    liveId: signIn.live?.id ?? null,
  });
  if (account === null) throw new SignInRaced();
  return {
    id,
    accountId: plan.accountId,
    projectId: plan.projectId,
    apiKey,
    secretKey,
    start: seconds(nowMs),
    expiry: seconds(expiresMs),
    absoluteExpiry: seconds(absoluteExpiresMs),
    metered,
    billedMinutes: 0,
    profile: profileOf(account),
    role: plan.role,
    amr: [...plan.amr],
    newAccount: plan.newAccount,
  };
}

function absoluteMs({ realm }: SignIn): number {
  return realm === installationRealm ? sessionLimits.administratorMs : sessionLimits.playerMs;
}

/** A session as it is read later: with the key that the reader sent, and without the secret. */
export function sessionRecord(
  row: SessionRow,
  {
    account,
    apiKey,
    nowMs,
  }: { readonly account: AccountRow | undefined; readonly apiKey: string; readonly nowMs: number },
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
    profile: profileOf(account),
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

export function seconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}

function profileOf(account: Profile | undefined): SessionRecord['profile'] {
  if (!account) return null;
  return { displayName: account.display_name, avatarUrl: account.avatar_url, locale: account.locale };
}
