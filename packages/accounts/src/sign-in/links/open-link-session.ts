import {
  createApiKeyText,
  createNamedId,
  hashApiKey,
  type RandomBytes,
  scopeOfRole,
} from '@tickrate/contract';
import type { Postgres } from '@tickrate/postgres';
import { findAdministeredProjects, holdRole } from '../../administrators/roles.ts';
import { insertAudit } from '../../records/audit.ts';
import { type InRealm, inRealm } from '../../store/in-realm.ts';
import { inTransaction } from '../../store/in-transaction.ts';
import { sessionLimits } from '../sessions/session-limits.ts';
import { insertSession } from '../sessions/sessions.ts';
import { hashLinkToken } from './make-sign-in-link.ts';
import { useSignInLink } from './sign-in-links.ts';

export interface LinkSessionDeps {
  readonly now: () => number;
  readonly newId: () => string;
  readonly randomBytes: RandomBytes;
}

export interface LinkSessionRequest {
  readonly token: string;
  readonly requestId: string;
  readonly clientAddress: string;
}

/** `unknown`: the link is unknown, used or expired. `barred`: the account was banned or archived. */
export type LinkSessionOutcome = { readonly apiKey: string } | 'unknown' | 'withoutProject' | 'barred';

/** Uses a sign-in link and opens a session of an administrator, or does neither. */
export function openLinkSession(
  db: Postgres,
  deps: LinkSessionDeps,
  request: LinkSessionRequest,
): Promise<LinkSessionOutcome> {
  return inTransaction<LinkSessionOutcome>(db, async (tx, rollBack) => {
    const nowMs = deps.now();
    const people = inRealm(tx, 'installation');
    const accountId = await useSignInLink(people, { hash: hashLinkToken(request.token), nowMs });
    if (accountId === null) return 'unknown';
    const [project] = await findAdministeredProjects(tx, accountId);
    const role = project ? await holdRole(tx, { accountId, projectId: project.id }) : null;
    if (project === undefined || role === null) throw rollBack('withoutProject');
    const plan = { accountId, projectId: project.id, scopes: [scopeOfRole(role)], nowMs };
    const apiKey = await openSession(people, deps, { ...plan, ...request });
    if (apiKey === null) throw rollBack('barred');
    return { apiKey };
  });
}

interface Opening extends LinkSessionRequest {
  readonly accountId: string;
  readonly projectId: string;
  readonly scopes: readonly string[];
  readonly nowMs: number;
}

const amr = ['link'];

/** Returns the key of the session. */
async function openSession(
  people: InRealm,
  { newId, randomBytes }: LinkSessionDeps,
  { accountId, projectId, scopes, nowMs, requestId, clientAddress }: Opening,
): Promise<string | null> {
  const id = createNamedId('us', randomBytes);
  const apiKey = createApiKeyText('session', randomBytes);
  const profile = await insertSession(people, {
    id,
    accountId,
    projectId,
    role: 'builtin:admin',
    keyHash: hashApiKey(apiKey),
    // Nobody gets the other secret of the session.
    secretHash: Buffer.from(randomBytes(32)),
    scopes,
    amr,
    metered: false,
    newAccount: false,
    startMs: nowMs,
    // A link proves no credentials: what changes the ways into the account requires the password.
    provenMs: 0,
    expiresMs: nowMs + sessionLimits.renewalMs,
    absoluteExpiresMs: nowMs + sessionLimits.administratorMs,
    clientAddress,
    openedBy: [],
    liveId: null,
  });
  if (profile === null) return null;
  const session = { projectId, accountId, sessionId: id, requestId, clientAddress };
  await insertAudit(people, { id: newId(), atMs: nowMs, act: 'signIn', ...session, details: { amr } });
  return apiKey;
}
