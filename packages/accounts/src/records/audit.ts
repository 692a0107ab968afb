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
