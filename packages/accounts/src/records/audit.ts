import type { Accounts } from '../accounts.ts';
import type { SessionRow } from '../sign-in/sessions.ts';
import type { InRealm } from '../store/in-realm.ts';

export const auditActs = [
  'signIn',
  'signInRepeated',
  'signInRefused',
  'accountCreated',
  'identityLinked',
  'identityMoved',
  'identityUnlinked',
  'passwordChanged',
  'passwordReset',
  'emailChanged',
  'emailVerified',
  'secondFactorEnrolled',
  'secondFactorRemoved',
  'sessionEnded',
  'sessionsEnded',
  'projectSwitched',
  'projectCreated',
  'projectDeleted',
  'accountExported',
  'accountErased',
] as const;
export type AuditAct = (typeof auditActs)[number];

export interface AuditEntry {
  readonly id: string;
  readonly atMs: number;
  readonly projectId: string;
  readonly act: AuditAct;
  readonly accountId: string | null;
  readonly sessionId: string | null;
  readonly requestId: string;
  readonly clientAddress: string;
  /** Never contains a secret. */
  readonly details: Readonly<Record<string, unknown>>;
}

const insertSql = `
  INSERT INTO auth.audit (realm, id, at, project_id, act, account_id, session_id, request_id, client_address, details)
  SELECT $1, $2::uuid, $3::timestamptz, $4, $5, $6, $7, $8, $9, $10::jsonb`;

/** Call it in the transaction of the act, after the account's rows were changed. */
export async function insertAudit(people: InRealm, entry: AuditEntry): Promise<void> {
  await people.rows(insertSql, valuesOf(entry));
}

function valuesOf(entry: AuditEntry): unknown[] {
  return [
    entry.id,
    new Date(entry.atMs),
    entry.projectId,
    entry.act,
    entry.accountId,
    entry.sessionId,
    entry.requestId,
    entry.clientAddress,
    JSON.stringify(entry.details),
  ];
}

/** The caller of an act. */
export interface Actor {
  readonly projectId: string;
  /** Null for a caller without a session. */
  readonly sessionId: string | null;
  readonly requestId: string;
  readonly clientAddress: string;
}

/** A signed-in account that acts on itself. */
export interface SessionActor {
  readonly session: SessionRow;
  readonly requestId: string;
  readonly clientAddress: string;
}

interface Act {
  readonly act: AuditAct;
  readonly accountId: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

export type IdsAndClock = Pick<Accounts, 'newId' | 'now'>;
type ActOf = Act & { readonly actor: Actor };

/** Call it in the transaction of the act. Details contain no secret. */
export function writeAudit(accounts: IdsAndClock, people: InRealm, act: ActOf): Promise<void> {
  return insertAudit(people, entryOf(accounts, act));
}

/**
 * For an act that changes no row of the account. An erasure waits for no row of such an act, so the entry waits for the
 * erasure instead: an erased account gets none.
 */
export async function writeAuditUnlessErased(
  accounts: IdsAndClock,
  people: InRealm,
  act: ActOf,
): Promise<void> {
  await people.rows(
    `${insertSql} WHERE $6::text IS NULL OR EXISTS (SELECT FROM auth.accounts WHERE id = $6 FOR KEY SHARE)`,
    valuesOf(entryOf(accounts, act)),
  );
}

function entryOf({ newId, now }: IdsAndClock, { actor, details = {}, ...act }: ActOf): AuditEntry {
  return { id: newId(), atMs: now(), ...actor, ...act, details };
}

/** The same for an account that acts on itself. */
export function writeOwnAudit(
  accounts: IdsAndClock,
  people: InRealm,
  { by, ...act }: Omit<Act, 'accountId'> & { readonly by: SessionActor },
): Promise<void> {
  return writeAudit(accounts, people, { ...act, ...ownerOf(by) });
}

/** The actor and the account of an act of an account on itself. */
export function ownerOf({ session, requestId, clientAddress }: SessionActor) {
  const actor = { projectId: session.project_id, sessionId: session.id, requestId, clientAddress };
  return { actor, accountId: session.account_id };
}
