import { milliseconds } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';
import type { SessionRow } from '../sign-in/sessions.ts';
import type { InRealm } from '../store/in-realm.ts';
import { noId, type PageBy } from '../store/page.ts';

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

export interface SignInEntry {
  readonly id: string;
  readonly atMs: number;
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

/** Call it in the transaction of the act, after the account's rows were changed. Details contain no secret. */
export async function writeAudit(accounts: IdsAndClock, people: InRealm, act: ActOf): Promise<void> {
  await people.rows(insertSql, valuesOf(accounts, act));
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
    valuesOf(accounts, act),
  );
}

function valuesOf({ newId, now }: IdsAndClock, { actor, act, accountId, details = {} }: ActOf): unknown[] {
  const { projectId, sessionId, requestId, clientAddress } = actor;
  const at = new Date(now());
  return [
    newId(),
    at,
    projectId,
    act,
    accountId,
    sessionId,
    requestId,
    clientAddress,
    JSON.stringify(details),
  ];
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

interface AuditPage extends PageBy<'atMs'> {
  readonly act: AuditAct | null;
  readonly accountId: string | null;
}

/**
 * The sign-in acts of a project, newest first: those of its players, and those of administrators in this project. Acts
 * of members without a project are included. Acts in another project are listed only there.
 */
export function findAuditEntries(
  people: InRealm,
  { act, accountId, after, limit }: AuditPage,
): Promise<SignInEntry[]> {
  const place = [after === null ? 'infinity' : new Date(after.atMs), after?.id ?? noId, limit];
  const acts = act === null ? [...auditActs] : [act];
  return accountId === null
    ? people.rows<SignInEntry>(ofProject, [...place, acts])
    : people.rows<SignInEntry>(ofAccount, [...place, acts, accountId]);
}

const columns = `t.id, ${milliseconds('t.at')} AS "atMs", t.act, t.account_id AS "accountId", t.session_id AS "sessionId",
  t.request_id AS "requestId", t.client_address AS "clientAddress",
  CASE t.act WHEN 'projectSwitched' THEN '{}' ELSE t.details END AS details`;
// An administrator can sign in to another project than the one of the key.
const isOfProject = `t.project_id = $1 AND (t.realm = $1 OR t.details ->> 'project' = $1
  OR NOT t.details ? 'project'
     AND EXISTS (SELECT FROM auth.members m WHERE m.project_id = $1 AND m.account_id = t.account_id))`;
const newestFirst = 'ORDER BY at DESC, id DESC LIMIT $4';

// The newest rows of each act by its index, then the newest of all of them.
const ofProject = `
SELECT entry.* FROM unnest($5::text[]) AS wanted (act) CROSS JOIN LATERAL (
  SELECT ${columns} FROM auth.audit t
  WHERE ${isOfProject} AND t.act = wanted.act AND (t.at, t.id) < ($2::timestamptz, $3::uuid) ${newestFirst}) AS entry
ORDER BY "atMs" DESC, id DESC LIMIT $4`;

const ofAccount = `
SELECT ${columns} FROM auth.audit t
WHERE ${isOfProject} AND t.account_id = $6 AND t.act = ANY ($5) AND (t.at, t.id) < ($2::timestamptz, $3::uuid)
${newestFirst}`;

/** The number of players who signed in to the project since then, and of refused attempts. */
export async function countSignIns(
  people: InRealm,
  sinceMs: number,
): Promise<{ readonly completed: number; readonly refused: number }> {
  const [row] = await people.rows<{ completed: number; refused: number }>(
    `SELECT count(*) FILTER (WHERE act = 'signIn')::float8 AS completed,
            count(*) FILTER (WHERE act = 'signInRefused')::float8 AS refused
       FROM auth.audit WHERE realm = $1 AND project_id = $1 AND act IN ('signIn', 'signInRefused') AND at >= $2`,
    [new Date(sinceMs)],
  );
  return row ?? { completed: 0, refused: 0 };
}
