import { milliseconds } from '@tickrate/postgres';
import type { InRealm } from '../store/in-realm.ts';
import { type AuditAct, type AuditEntry, auditActs } from './audit.ts';

interface AuditPage {
  readonly act: AuditAct | null;
  readonly accountId: string | null;
  readonly after: { readonly atMs: number; readonly id: string } | null;
  readonly limit: number;
}

export type SignInEntry = Omit<AuditEntry, 'projectId'>;

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

const noId = '00000000-0000-0000-0000-000000000000';

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
