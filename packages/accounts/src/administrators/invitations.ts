import { milliseconds, type Queryable } from '@tickrate/postgres';
import type { Address } from '../people/address.ts';
import type { PageBy } from '../store/page.ts';

export interface Invitation {
  readonly id: string;
  readonly emailAddress: string;
  readonly role: string;
  /** The id of an account, or `key …`. */
  readonly invitedBy: string;
  readonly createdMs: number;
  readonly expiresMs: number;
  /** When the mail server accepted the mail; null: not yet, or never. */
  readonly mailedMs: number | null;
}

interface InvitationRequest {
  readonly id: string;
  readonly projectId: string;
  readonly email: Address;
  readonly role: string;
  readonly invitedBy: string;
  readonly nowMs: number;
  readonly expiresMs: number;
}

/** For a project, in a period: limits how many people a stolen key can write to. */
const mostOpen = 200;

/** How an invitation and the audit trail name a key. */
export function nameOfKey(keyId: string): string {
  return `key ${keyId}`;
}

/**
 * An address has one invitation to a project at a time: an open one must be withdrawn first. The mail is due from now
 * on; auth sends it. `inviterGone`: the account that invites was erased meanwhile.
 */
export async function insertInvitation(
  db: Queryable,
  { id, projectId, email, role, invitedBy, nowMs, expiresMs }: InvitationRequest,
): Promise<Invitation | 'invited' | 'member' | 'tooMany' | 'inviterGone'> {
  const [invitation] = await db.query<Invitation>(
    `INSERT INTO auth.invitations (id, email, email_folded, project_id, role, invited_by, created, mail_due, expires)
     SELECT $1, $2, $3, $4, $5, $6, $7, $7, $8
      WHERE NOT EXISTS (${memberOfAddress('$3', '$4')}) AND (${countOpen('$4', '$7')}) < ${mostOpen}
        AND ($6 LIKE 'key %' OR EXISTS (SELECT FROM auth.accounts WHERE id = $6 FOR KEY SHARE))
     ON CONFLICT (email_folded, project_id) DO UPDATE
       SET id = excluded.id, email = excluded.email, role = excluded.role, invited_by = excluded.invited_by,
           created = excluded.created, expires = excluded.expires, mail_due = excluded.mail_due, mail_tries = 0,
           mailed = NULL, used = NULL
       WHERE invitations.used IS NOT NULL OR invitations.expires <= excluded.created
     RETURNING ${columns}`,
    [id, email.address, email.folded, projectId, role, invitedBy, new Date(nowMs), new Date(expiresMs)],
  );
  if (invitation) return invitation;
  const [why] = await db.query<{ member: boolean; many: boolean; gone: boolean }>(
    `SELECT EXISTS (${memberOfAddress('$1', '$2')}) AS member, (${countOpen('$2', '$3')}) >= ${mostOpen} AS many,
       $4 NOT LIKE 'key %' AND NOT EXISTS (SELECT FROM auth.accounts WHERE id = $4) AS gone`,
    [email.folded, projectId, new Date(nowMs), invitedBy],
  );
  if (why?.gone) return 'inviterGone';
  if (why?.member) return 'member';
  return why?.many ? 'tooMany' : 'invited';
}

function memberOfAddress(folded: string, projectId: string): string {
  return `SELECT FROM auth.members m JOIN auth.accounts a ON a.id = m.account_id
    WHERE m.project_id = ${projectId} AND a.email_folded = ${folded} AND a.email_verified IS NOT NULL`;
}

function countOpen(projectId: string, now: string): string {
  return `SELECT count(*) FROM auth.invitations o WHERE o.project_id = ${projectId} AND o.used IS NULL AND o.expires > ${now}`;
}

/** The open invitations of a project that these accounts or keys sent. */
export function findInvitationsOf(
  db: Queryable,
  {
    projectId,
    invitedBy,
    nowMs,
  }: { readonly projectId: string; readonly invitedBy: readonly string[]; readonly nowMs: number },
): Promise<Invitation[]> {
  return db.query<Invitation>(
    `SELECT ${columns} FROM auth.invitations
      WHERE project_id = $1 AND invited_by = ANY ($2) AND used IS NULL AND expires > $3 ORDER BY created, id`,
    [projectId, invitedBy, new Date(nowMs)],
  );
}

/** Newest first: all invitations that were not accepted, including expired ones. */
export function findInvitations(
  db: Queryable,
  { projectId, after, limit }: PageBy<'createdMs'> & { readonly projectId: string },
): Promise<Invitation[]> {
  return db.query<Invitation>(
    `SELECT ${columns} FROM auth.invitations WHERE project_id = $1 AND used IS NULL
       AND ($2::timestamptz IS NULL OR (created, id) < ($2, $3::uuid))
     ORDER BY created DESC, id DESC LIMIT $4`,
    [projectId, after && new Date(after.createdMs), after?.id ?? null, limit],
  );
}

interface InvitationPlace {
  readonly projectId: string;
  readonly id: string;
}

/** Null for an unknown or deleted invitation, and for one of another project. */
export async function findInvitation(
  db: Queryable,
  { projectId, id }: InvitationPlace,
): Promise<Invitation | null> {
  const [invitation] = await db.query<Invitation>(
    `SELECT ${columns} FROM auth.invitations WHERE project_id = $1 AND id::text = $2 AND used IS NULL`,
    [projectId, id],
  );
  return invitation ?? null;
}

/** False when it was accepted or deleted. */
export async function withdrawInvitation(
  db: Queryable,
  { projectId, id }: InvitationPlace,
): Promise<boolean> {
  const rows = await db.query(
    'DELETE FROM auth.invitations WHERE project_id = $1 AND id::text = $2 AND used IS NULL RETURNING id',
    [projectId, id],
  );
  return rows.length > 0;
}

/**
 * Ends the open invitations that these accounts or keys sent, except to roles that they may still give. In one project,
 * or in all of them.
 */
export async function withdrawInvitationsOf(
  tx: Queryable,
  invitedBy: readonly string[],
  {
    keptRoles = [],
    projectId = null,
  }: { readonly keptRoles?: readonly string[]; readonly projectId?: string | null } = {},
): Promise<void> {
  await tx.query(
    `DELETE FROM auth.invitations WHERE invited_by = ANY ($1) AND used IS NULL AND role <> ALL ($2)
       AND ($3::text IS NULL OR project_id = $3)`,
    [[...invitedBy], [...keptRoles], projectId],
  );
}

/** Turns the invitations of a proven address into memberships; each is valid once. */
export async function acceptInvitations(tx: Queryable, accountId: string, nowMs: number): Promise<void> {
  await tx.query(
    `WITH used AS (
       UPDATE auth.invitations i SET used = $2, mail_due = NULL FROM auth.accounts a
       WHERE a.id = $1 AND a.realm = 'installation' AND a.email_verified IS NOT NULL
         AND i.email_folded = a.email_folded AND i.used IS NULL AND i.expires > $2
       RETURNING i.project_id, i.role)
     INSERT INTO auth.members (project_id, account_id, role, granted)
     SELECT project_id, $1, role, $2 FROM used ON CONFLICT DO NOTHING`,
    [accountId, new Date(nowMs)],
  );
}

const columns = `id, email AS "emailAddress", role, invited_by AS "invitedBy", ${milliseconds('created')} AS "createdMs",
  ${milliseconds('expires')} AS "expiresMs", ${milliseconds('mailed')} AS "mailedMs"`;
