import type { AccountsDeps } from '../accounts-deps.ts';
import type { SessionRow } from '../sign-in/sessions/sessions.ts';
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

export async function insertAudit(people: InRealm, entry: AuditEntry): Promise<void> {
  await people.rows(
    `INSERT INTO auth.audit (realm, id, at, project_id, act, account_id, session_id, request_id, client_address, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      entry.id,
      new Date(entry.atMs),
      entry.projectId,
      entry.act,
      entry.accountId,
      entry.sessionId,
      entry.requestId,
      entry.clientAddress,
      JSON.stringify(entry.details),
    ],
  );
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

export interface Act {
  readonly act: AuditAct;
  readonly accountId: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Call it in the transaction of the act. Details contain no secret. */
export function writeAudit(
  { newId, now }: Pick<AccountsDeps, 'newId' | 'now'>,
  people: InRealm,
  { actor, act, accountId, details = {} }: Act & { readonly actor: Actor },
): Promise<void> {
  const { projectId, sessionId, requestId, clientAddress } = actor;
  return insertAudit(people, {
    id: newId(),
    atMs: now(),
    projectId,
    act,
    accountId,
    sessionId,
    requestId,
    clientAddress,
    details,
  });
}

/** The same for an account that acts on itself. */
export function writeOwnAudit(
  deps: Pick<AccountsDeps, 'newId' | 'now'>,
  people: InRealm,
  { by, ...act }: Omit<Act, 'accountId'> & { readonly by: SessionActor },
): Promise<void> {
  const { session, requestId, clientAddress } = by;
  const actor = { projectId: session.project_id, sessionId: session.id, requestId, clientAddress };
  return writeAudit(deps, people, { ...act, actor, accountId: session.account_id });
}
