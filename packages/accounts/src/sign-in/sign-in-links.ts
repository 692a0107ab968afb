import { createHash } from 'node:crypto';
import { type RandomBytes, scopeOfRole, systemError } from '@tickrate/contract';
import type { Postgres, Queryable } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';
import { findAdministeredProjects, holdRole } from '../administrators/roles.ts';
import { writeAudit } from '../records/audit.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import { issueSession } from './sessions.ts';

export interface SignInLink {
  readonly url: string;
  readonly emailAddress: string;
  readonly expiresMs: number;
}

const validMs = 10 * 60_000;

/**
 * Creates a link that signs an administrator in at the console, once, for a caller who can write to the database. The
 * token is behind the `#`: browsers send it to no server. Null if there is no such administrator. `folded` is null for
 * the owner of the installation or, without one, its oldest administrator. Also deletes the links that have expired.
 */
export async function makeSignInLink(
  db: Queryable,
  request: {
    readonly folded: string | null;
    readonly consoleUrl: string;
    readonly now: () => number;
    readonly randomBytes: RandomBytes;
  },
): Promise<SignInLink | null> {
  const token = Buffer.from(request.randomBytes(32)).toString('base64url');
  const nowMs = request.now();
  const expiresMs = nowMs + validMs;
  const [holder] = await inRealm(db, 'installation').rows<{ email: string }>(
    `WITH expired AS (
       DELETE FROM auth.sign_in_links l USING auth.accounts own
        WHERE own.id = l.account_id AND own.realm = $1 AND l.expires <= $5),
     holder AS (
       SELECT id, email FROM auth.accounts
        WHERE realm = $1 AND archived IS NULL AND email_verified IS NOT NULL
          AND ($3::text IS NULL OR email_folded = $3)
        ORDER BY owns_installation DESC, created, id LIMIT 1),
     made AS (
       INSERT INTO auth.sign_in_links (hash, account_id, expires) SELECT $2, id, $4 FROM holder RETURNING account_id)
     SELECT holder.email FROM made JOIN holder ON holder.id = made.account_id`,
    [hashToken(token), request.folded, new Date(expiresMs), new Date(nowMs)],
  );
  if (holder === undefined) return null;
  const url = `${request.consoleUrl.replace(/\/$/, '')}/sign-in#link=${token}`;
  return { emailAddress: holder.email, expiresMs, url };
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

type LinkSessionDeps = Pick<Accounts, 'now' | 'newId' | 'randomBytes'>;

interface LinkSessionRequest {
  readonly token: string;
  readonly requestId: string;
  readonly clientAddress: string;
}

/**
 * Uses a sign-in link and opens a session of an administrator, or does neither. Returns the key of the session. Throws
 * `tokenInvalid` for a link that is unknown, used or expired, and 2005 if the administrator may not sign in.
 */
export function openLinkSession(
  db: Postgres,
  deps: LinkSessionDeps,
  request: LinkSessionRequest,
): Promise<string> {
  return db.transaction(async (tx) => {
    const people = inRealm(tx, 'installation');
    const accountId = await useLink(people, request.token, deps.now());
    if (accountId === null) throw systemError('tokenInvalid', { objectContext: 'link' });
    const [project] = await findAdministeredProjects(tx, accountId);
    const role = project ? await holdRole(tx, { accountId, projectId: project.id }) : null;
    if (project === undefined || role === null)
      throw systemError('notPermitted', {}, { fields: 'the administrator of this link has no project' });
    const plan = { accountId, projectId: project.id, scopes: [scopeOfRole(role)] };
    return openSession(people, deps, { ...plan, ...request });
  });
}

/** The account of the link, once. Null for a link that is unknown, used or expired. */
async function useLink(people: InRealm, token: string, nowMs: number): Promise<string | null> {
  const [link] = await people.rows<{ account_id: string }>(
    `UPDATE auth.sign_in_links l SET used = $3 FROM auth.accounts own
      WHERE l.hash = $2 AND l.used IS NULL AND l.expires > $3
        AND own.id = l.account_id AND own.realm = $1 AND own.archived IS NULL
      RETURNING l.account_id`,
    [hashToken(token), new Date(nowMs)],
  );
  return link?.account_id ?? null;
}

interface Opening extends LinkSessionRequest {
  readonly accountId: string;
  readonly projectId: string;
  readonly scopes: readonly string[];
}

const amr = ['link'];

async function openSession(
  people: InRealm,
  deps: LinkSessionDeps,
  { accountId, projectId, scopes, requestId, clientAddress }: Opening,
): Promise<string> {
  const issued = await issueSession(deps, people, {
    accountId,
    projectId,
    role: 'builtin:admin',
    // Nobody gets the other secret of the session.
    secretHash: Buffer.from(deps.randomBytes(32)),
    scopes,
    amr,
    metered: false,
    newAccount: false,
    // A link proves no credentials: what changes the ways into the account requires the password.
    proven: new Date(0),
    absoluteExpires: null,
    clientAddress,
    openedBy: [],
    live: null,
  });
  // The account was banned or archived.
  if (issued === null) throw systemError('notPermitted');
  const actor = { projectId, sessionId: issued.session.id, requestId, clientAddress };
  await writeAudit(deps, people, { actor, accountId, act: 'signIn', details: { amr } });
  return issued.apiKey;
}
