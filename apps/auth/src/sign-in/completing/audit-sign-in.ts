import { type AuditAct, inRealm, insertAudit, type Queryable } from '@tickrate/accounts';
import type { AuthenticationResponse } from '@tickrate/contract';
import type { Plan, Refusal } from '../../exchange/decision.ts';
import type { Facts } from '../../exchange/facts.ts';
import type { AuthenticateCall } from '../authenticate.ts';
import { type Ground, realmOf, type SignIn } from '../sign-in.ts';
import type { Completed } from './complete-sign-in.ts';

interface Entry {
  readonly act: AuditAct;
  readonly accountId: string | null;
  readonly sessionId?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Records a sign-in, in its transaction: the session, and each link that it created or moved. */
export async function auditSignIn(
  ground: Ground,
  tx: Queryable,
  {
    signIn,
    plan,
    completed,
  }: { readonly signIn: SignIn; readonly plan: Plan; readonly completed: Completed },
): Promise<void> {
  const { id: sessionId, accountId, amr, role, newAccount, projectId: project } = completed.session;
  const write = (act: AuditAct, details: Entry['details'], of = accountId) =>
    insert(ground, tx, { signIn, entry: { act, accountId: of, sessionId, details } });
  if (!newAccount) {
    const linked = [...plan.link.map(({ provider }) => provider), ...(plan.issueDevice ? ['device'] : [])];
    for (const provider of linked) await write('identityLinked', { provider });
  }
  for (const { token, from } of plan.move) {
    await write('identityMoved', { provider: token.provider, from });
    await write('identityMoved', { provider: token.provider, to: accountId }, from);
  }
  if (plan.enrols) await write('secondFactorEnrolled', {});
  if (completed.createdProject) await write('projectCreated', { project: completed.createdProject.id });
  await write('signIn', { amr, role, newAccount, project });
}

/** A repeated answer: records the client address that received it. */
export async function auditRepeat(
  ground: Ground,
  call: AuthenticateCall,
  { authenticatedSession: session }: AuthenticationResponse,
): Promise<void> {
  if (session === null) return;
  const { id: sessionId, accountId } = session;
  const entry = { act: 'signInRepeated' as const, accountId, sessionId, details: {} };
  await insert(ground, ground.db, { signIn: { ...call, realm: realmOf(call) }, entry });
}

/** An attempt that failed. An attempt that was refused because there were too many is not recorded. */
export async function auditRefusal(
  ground: Ground,
  { signIn, refusal, facts }: { readonly signIn: SignIn; readonly refusal: Refusal; readonly facts: Facts },
): Promise<void> {
  const { reason } = refusal;
  if (reason === 'tooManyAttempts') return;
  const { passwordAccount = null, tokens = [] } = facts.proofs ?? {};
  const owner = tokens.find((token) => token.status === 'accepted' && token.owner !== null)?.owner ?? null;
  const accountId = facts.liveAccount ?? passwordAccount ?? owner;
  const details = { reason, role: signIn.role };
  await insert(ground, ground.db, { signIn, entry: { act: 'signInRefused', accountId, details } });
}

function insert(
  { newId, now }: Ground,
  db: Queryable,
  {
    signIn,
    entry,
  }: {
    readonly signIn: Pick<SignIn, 'realm' | 'requestId' | 'clientAddress' | 'principal'>;
    readonly entry: Entry;
  },
): Promise<void> {
  const { realm, requestId, clientAddress, principal } = signIn;
  const { act, accountId, sessionId = null, details } = entry;
  return insertAudit(inRealm(db, realm), {
    id: newId(),
    atMs: now(),
    requestId,
    clientAddress,
    projectId: principal.projectId,
    act,
    accountId,
    sessionId,
    details,
  });
}
