import { createHash } from 'node:crypto';
import { scopeOfRole, systemError } from '@tickrate/contract';
import { milliseconds, type Postgres, type Queryable, violatedConstraint } from '@tickrate/postgres';
import type { Administrator } from './roles.ts';

export interface Member {
  readonly accountId: string;
  readonly emailAddress: string | null;
  readonly displayName: string | null;
  readonly role: string;
  readonly grantedMs: number;
  /** A group of the identity provider gave the role: see `followGroups`. */
  readonly byGroup: boolean;
}

/** Covers all editable members: an edit is applied only to the version that the caller read. */
export function memberVersion({ accountId, role, grantedMs }: Member): string {
  return createHash('sha256').update(`${accountId} ${role} ${grantedMs}`).digest('base64url').slice(0, 16);
}

interface MemberPage {
  readonly projectId: string;
  readonly after: { readonly grantedMs: number; readonly accountId: string } | null;
  readonly limit: number;
}

const selectMembers = `SELECT m.account_id AS "accountId", a.email AS "emailAddress", a.display_name AS "displayName", m.role,
    ${milliseconds('m.granted')} AS "grantedMs", m.by_group AS "byGroup"
  FROM auth.members m JOIN auth.accounts a ON a.id = m.account_id WHERE m.project_id = $1 AND a.archived IS NULL`;

/** In the order of joining. */
export function findMembers(db: Queryable, { projectId, after, limit }: MemberPage): Promise<Member[]> {
  return db.query<Member>(
    `${selectMembers}
       AND ($2::timestamptz IS NULL OR (date_trunc('milliseconds', m.granted), m.account_id) > ($2, $3))
     ORDER BY "grantedMs", "accountId" LIMIT $4`,
    [projectId, after && new Date(after.grantedMs), after?.accountId ?? null, limit],
  );
}

export async function findMember(
  db: Queryable,
  { projectId, accountId }: Administrator,
): Promise<Member | null> {
  const [member] = await db.query<Member>(`${selectMembers} AND m.account_id = $2`, [projectId, accountId]);
  return member ?? null;
}

export async function findMembersIn(
  db: Queryable,
  projectId: string,
  roles: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ account_id: string }>(
    'SELECT account_id FROM auth.members WHERE project_id = $1 AND role = ANY ($2) ORDER BY account_id',
    [projectId, roles],
  );
  return rows.map((row) => row.account_id);
}

/** The account that has owned the project for the longest time; null when no account owns it. */
export async function findProjectOwner(db: Queryable, projectId: string): Promise<string | null> {
  const [row] = await db.query<{ account_id: string }>(
    `SELECT account_id FROM auth.members WHERE project_id = $1 AND role = 'owner' ORDER BY granted, account_id LIMIT 1`,
    [projectId],
  );
  return row?.account_id ?? null;
}

interface RoleChange extends Administrator {
  /** From `memberVersion`. */
  readonly version: string;
  readonly role: string;
  readonly nowMs: number;
  /** The account that makes the change. Null for a key. */
  readonly by: string | null;
  /** Before the change: throws if the caller may not make it. Its role cannot change until the transaction ends. */
  readonly before: (tx: Queryable) => Promise<void>;
  /** After it: limits what the member leaves behind. */
  readonly after: (tx: Queryable) => Promise<void>;
}

/** Effective for the member's live sessions on every process within a second. Throws like `changeMember`. */
export function changeRole(db: Postgres, change: RoleChange): Promise<Member> {
  const { accountId, projectId, role, nowMs } = change;
  return changeMember(db, change, async (tx, member) => {
    const granted = new Date(nowMs);
    await tx.query(
      'UPDATE auth.members SET role = $3, granted = $4 WHERE project_id = $1 AND account_id = $2',
      [projectId, accountId, role, granted],
    );
    await setRoleOfSessions(tx, { accountId, projectId, role });
    return { ...member, role, grantedMs: nowMs };
  });
}

type Removal = Omit<RoleChange, 'role'>;

/** Ends the member's sessions of the project, everywhere within a second. Returns the member before the removal. */
export function removeMember(db: Postgres, removal: Removal): Promise<Member> {
  const { accountId, projectId, nowMs } = removal;
  return changeMember(db, removal, async (tx, member) => {
    await tx.query('DELETE FROM auth.members WHERE project_id = $1 AND account_id = $2', [
      projectId,
      accountId,
    ]);
    await endSessionsInProject(tx, { accountId, projectId, nowMs });
    return member;
  });
}

/** The live sessions of a member get the permissions of a new role. */
export async function setRoleOfSessions(
  tx: Queryable,
  { accountId, projectId, role }: Administrator & { readonly role: string },
): Promise<void> {
  await tx.query(
    `UPDATE registry.session_keys SET scopes = ARRAY[$3] WHERE project_id = $1 AND account_id = $2 AND ended IS NULL
       AND ${isNoInstallationOwner}`,
    [projectId, accountId, scopeOfRole(role)],
  );
}

/** The sessions of a former member of the project. */
export async function endSessionsInProject(
  tx: Queryable,
  { accountId, projectId, nowMs }: Administrator & { readonly nowMs: number },
): Promise<void> {
  const ended = await tx.query<{ id: string }>(
    `UPDATE auth.sessions SET ended = $3, end_reason = 'memberRemoved'
     WHERE project_id = $1 AND account_id = $2 AND ended IS NULL AND ${isNoInstallationOwner} RETURNING id`,
    [projectId, accountId, new Date(nowMs)],
  );
  await tx.query(
    'UPDATE registry.session_keys SET ended = $2 WHERE session_id = ANY ($1) AND ended IS NULL',
    [ended.map(({ id }) => id), new Date(nowMs)],
  );
}

/** Owners of the installation own every project, whatever their membership is. */
const isNoInstallationOwner =
  'NOT EXISTS (SELECT FROM auth.accounts a WHERE a.id = $2 AND a.owns_installation)';

/**
 * The lock waits for sign-ins in progress, so that their sessions end too: see `holdRole`. Throws 3004 if the member is
 * not as the caller read it, and 3002 for the last owner of a project, who stays.
 */
async function changeMember(
  db: Postgres,
  { accountId, projectId, version, by, before, after }: Removal,
  work: (tx: Queryable, member: Member) => Promise<Member>,
): Promise<Member> {
  try {
    return await db.transaction(async (tx) => {
      await tx.query('SELECT FROM auth.accounts WHERE id = ANY ($1) ORDER BY id FOR UPDATE', [
        [accountId, by],
      ]);
      await before(tx);
      const member = await findMember(tx, { projectId, accountId });
      if (member === null || memberVersion(member) !== version) throw systemError('objectChanged');
      const changed = await work(tx, member);
      await after(tx);
      return changed;
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'keep_an_owner') throw error;
    throw systemError('objectNotEditable', { objectNotEditableReason: 'the last owner of the project' });
  }
}

/** An existing member keeps the role. */
export async function addMember(
  tx: Queryable,
  { accountId, projectId, role, nowMs }: Administrator & { readonly role: string; readonly nowMs: number },
): Promise<void> {
  await tx.query(
    'INSERT INTO auth.members (project_id, account_id, role, granted) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [projectId, accountId, role, new Date(nowMs)],
  );
}

/** Creates a project and makes the account its owner, or does neither. Without an account it has no owner yet. */
export function createOwnedProject<Created extends { readonly project: { readonly id: string } }>(
  db: Postgres,
  owner: { readonly accountId: string | null; readonly nowMs: number },
  create: (tx: Queryable) => Promise<Created>,
): Promise<Created> {
  return db.transaction(async (tx) => {
    const created = await create(tx);
    const { accountId, nowMs } = owner;
    const projectId = created.project.id;
    if (accountId !== null) await addMember(tx, { accountId, projectId, role: 'owner', nowMs });
    return created;
  });
}

export interface CreatedProject {
  readonly id: string;
  readonly name: string;
}

/** Creates a project with a first public key, in the transaction. */
export type CreateProject = (tx: Queryable, name: string, createdBy: string) => Promise<CreatedProject>;

/**
 * Creates the first project of an administrator, once: other transactions wait here until the first one ends. Null if
 * it created the project.
 */
export async function openDefaultProject(
  tx: Queryable,
  { accountId, createProject, nowMs }: { accountId: string; createProject: CreateProject; nowMs: number },
): Promise<CreatedProject | null> {
  const claimed = await tx.query(
    'INSERT INTO auth.default_projects (account_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING account_id',
    [accountId],
  );
  if (claimed.length === 0) return null;
  const created = await createProject(tx, 'My project', accountId);
  await addMember(tx, { accountId, projectId: created.id, role: 'owner', nowMs });
  const sql = 'UPDATE auth.default_projects SET project_id = $2 WHERE account_id = $1';
  await tx.query(sql, [accountId, created.id]);
  return created;
}
