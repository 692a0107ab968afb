import type { Queryable } from '@tickrate/postgres';
import type { AccountsDeps } from '../accounts-deps.ts';
import { type AuditAct, writeAudit } from '../records/audit.ts';
import { inRealm } from '../store/in-realm.ts';
import type { CompletedSignIn, SignInCompletion } from './complete-sign-in.ts';

interface Audited {
  readonly completion: Pick<
    SignInCompletion,
    'realm' | 'actor' | 'link' | 'move' | 'issueDevice' | 'enrolment'
  >;
  readonly completed: CompletedSignIn;
}

/** Records a sign-in, in its transaction: the session, and each link that it created or moved. */
export async function auditSignIn(
  deps: AccountsDeps,
  tx: Queryable,
  { completion, completed }: Audited,
): Promise<void> {
  const { id: sessionId, accountId, amr, role, newAccount, projectId: project } = completed.session;
  const people = inRealm(tx, completion.realm);
  const actor = { ...completion.actor, sessionId };
  const write = (act: AuditAct, details: Readonly<Record<string, unknown>>, of = accountId) =>
    writeAudit(deps, people, { actor, act, accountId: of, details });
  if (!newAccount) {
    const device = completion.issueDevice ? ['device'] : [];
    const linked = [...completion.link.map(({ provider }) => provider), ...device];
    for (const provider of linked) await write('identityLinked', { provider });
  }
  for (const { identity, from } of completion.move) {
    await write('identityMoved', { provider: identity.provider, from });
    await write('identityMoved', { provider: identity.provider, to: accountId }, from);
  }
  if (completion.enrolment) await write('secondFactorEnrolled', {});
  if (completed.createdProject) await write('projectCreated', { project: completed.createdProject.id });
  await write('signIn', { amr, role, newAccount, project });
}
