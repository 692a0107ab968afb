import {
  type Database,
  findAdministeredProjects,
  hashLinkToken,
  holdRole,
  inRealm,
  insertAudit,
  insertSession,
  type Queryable,
  sessionLimits,
  useSignInLink,
} from '@tickrate/accounts';
import {
  createApiKeyText,
  createNamedId,
  hashApiKey,
  type RandomBytes,
  scopeOfRole,
  systemError,
} from '@tickrate/contract';
import type { RequestContext } from '@tickrate/platform';

export interface LinkSessionDeps {
  readonly accounts: Database;
  readonly now: () => number;
  readonly newId: () => string;
  readonly randomBytes: RandomBytes;
}

const realm = 'installation';
const role = 'builtin:admin';

/**
 * Uses a sign-in link and opens a session, or does neither. Returns the session's key. Throws 4002 for a link that is
 * unknown, used or expired, and 2005 for an administrator without a project or with a ban.
 */
export function createOpenLinkSession(deps: LinkSessionDeps) {
  return ({
    context,
    token,
  }: {
    readonly context: RequestContext;
    readonly token: string;
  }): Promise<string> =>
    deps.accounts.transaction(async (tx) => {
      const nowMs = deps.now();
      const hash = hashLinkToken(token);
      const accountId = await useSignInLink(inRealm(tx, realm), { hash, nowMs });
      if (accountId === null) throw systemError('tokenInvalid', { objectContext: 'link' });
      return openSession(tx, deps, { accountId, context, nowMs });
    });
}

interface Opening {
  readonly accountId: string;
  readonly context: RequestContext;
  readonly nowMs: number;
}

async function openSession(
  tx: Queryable,
  { newId, randomBytes }: LinkSessionDeps,
  { accountId, context, nowMs }: Opening,
): Promise<string> {
  const { clientAddress, requestId } = context;
  const [project] = await findAdministeredProjects(tx, accountId);
  const held = project && (await holdRole(tx, { accountId, projectId: project.id }));
  if (project === undefined || held === null || held === undefined) throw withoutProject();
  const id = createNamedId('us', randomBytes);
  const apiKey = createApiKeyText('session', randomBytes);
  const people = inRealm(tx, realm);
  const profile = await insertSession(people, {
    id,
    accountId,
    projectId: project.id,
    role,
    keyHash: hashApiKey(apiKey),
    // Nobody gets the other secret of the session.
    secretHash: Buffer.from(randomBytes(32)),
    scopes: [scopeOfRole(held)],
    amr: ['link'],
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
  if (profile === null) throw systemError('notPermitted');
  await insertAudit(people, {
    id: newId(),
    atMs: nowMs,
    projectId: project.id,
    act: 'signIn',
    accountId,
    sessionId: id,
    requestId,
    clientAddress,
    details: { amr: ['link'] },
  });
  return apiKey;
}

function withoutProject() {
  return systemError('notPermitted', {}, { fields: 'the administrator of this link has no project' });
}
