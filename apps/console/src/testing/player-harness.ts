import { randomBytes } from 'node:crypto';
import { type Database, inRealm, insertAccount, insertIdentity, issueSession } from '@tickrate/accounts';
import { createNamedId, createRecordId } from '@tickrate/contract';

export interface SessionOfPlayer {
  readonly id: string;
  readonly key: string;
}

export interface PlayerOfTest {
  readonly accountId: string;
  readonly emailAddress: string;
  readonly identityId: string;
  readonly subject: string;
  readonly session: SessionOfPlayer;
}

const hourMs = 3_600_000;

export interface PlayerAt {
  readonly projectId: string;
  readonly nowMs: number;
}

/** Signed in with Steam, with a second factor. */
export async function createPlayer(
  accounts: Database,
  { projectId, nowMs }: PlayerAt,
): Promise<PlayerOfTest> {
  const accountId = createNamedId('u', randomBytes);
  const emailAddress = `${accountId}@players.example`;
  const identityId = createRecordId(nowMs, randomBytes);
  const subject = String(randomBytes(6).readUIntBE(0, 6));
  const people = inRealm(accounts, projectId);
  await insertAccount(people, {
    id: accountId,
    email: { address: emailAddress, folded: emailAddress, verified: true },
    nowMs,
    displayName: 'Max',
    avatarUrl: null,
    locale: 'en',
    marketing: null,
    terms: {},
  });
  const key = { provider: 'steam', tenant: '', subject };
  await insertIdentity(people, { id: identityId, accountId, key, displayName: 'Max', nowMs });
  await accounts.query("INSERT INTO auth.totps (account_id, secret, confirmed) VALUES ($1, '', now())", [
    accountId,
  ]);
  await accounts.query(
    `INSERT INTO auth.known_devices (account_id, hash, seen, trusted_until)
     VALUES ($1, sha256('device'), now(), now() + interval '30 days')`,
    [accountId],
  );
  const session = await openPlayerSession(accounts, { accountId, projectId, nowMs });
  return { accountId, emailAddress, identityId, subject, session };
}

export async function openPlayerSession(
  accounts: Database,
  { accountId, projectId, nowMs }: PlayerAt & { readonly accountId: string },
): Promise<SessionOfPlayer> {
  const issued = await issueSession({ randomBytes, now: () => nowMs }, inRealm(accounts, projectId), {
    accountId,
    projectId,
    secretHash: Buffer.alloc(0),
    role: 'builtin:user',
    scopes: [],
    amr: ['steam'],
    metered: false,
    newAccount: false,
    proven: null,
    absoluteExpires: new Date(nowMs + hourMs),
    clientAddress: '203.0.113.7',
    openedBy: [],
    live: null,
  });
  if (!issued) throw new Error('no session');
  return { id: issued.session.id, key: issued.apiKey };
}
