import type { SessionRecord } from '@tickrate/contract';
import { outcomeOf, type Queryable } from '@tickrate/postgres';
import type { AccountsDeps } from '../accounts-deps.ts';
import {
  type ChosenProject,
  type CreatedProject,
  type CreateProject,
  placeAdministrator,
} from '../administrators/place-administrator.ts';
import { findSafeguards } from '../credentials/passwords.ts';
import type { IdentityKey } from '../people/identities.ts';
import { type Actor, type AuditAct, writeAudit } from '../records/audit.ts';
import { completeEnrolment, type ProvenEnrolment } from '../second-factor/enrolment-calls.ts';
import { spendPasses } from '../second-factor/passed-codes.ts';
import { countRecoveryCodes } from '../second-factor/second-factors.ts';
import { inRealm } from '../store/in-realm.ts';
import { inTransaction } from '../store/in-transaction.ts';
import { keepRepeatableAnswer } from './answers.ts';
import type { Exchange } from './exchange-calls.ts';
import { completeExchange } from './exchanges.ts';
import { keepUserInput, type UserInput } from './keep-user-input.ts';
import {
  deviceKey,
  type IssuedDevice,
  issueDevice,
  type LinkChange,
  linkIdentities,
} from './link-identities.ts';
import { issueSession } from './sessions/issue-session.ts';
import { lockAccounts, type SessionRow } from './sessions/sessions.ts';
import { createSignInAccount, type NewSignInAccount } from './sign-in-account.ts';

/** A decided sign-in: everything that its transaction does. */
export interface SignInCompletion extends LinkChange {
  readonly realm: string;
  readonly role: string;
  readonly actor: Omit<Actor, 'sessionId'>;
  readonly exchange: Exchange;
  /** Of the accepted codes, which create one session. */
  readonly codeMarks: readonly Buffer[];
  readonly live: SessionRow | null;
  /** The live session, if only its key proves the account. */
  readonly comesOf: SessionRow | null;
  readonly account: { readonly id: string } | NewSignInAccount;
  readonly enrolment: ProvenEnrolment | null;
  readonly input: UserInput;
  readonly project: ChosenProject;
  readonly createProject: CreateProject;
  readonly amr: readonly string[];
  readonly metered: boolean;
  /** The password that proved the account, and since when the account has it. */
  readonly password: { readonly accountId: string; readonly changed: Date | null } | null;
  /** The decision assumed an account with a second factor. */
  readonly knewSecondFactor: boolean;
}

export interface CompletedSignIn {
  readonly session: SessionRecord;
  readonly issuedDevice: IssuedDevice | null;
  readonly createdProject: CreatedProject | null;
  /** The codes of a second factor that the account has now. */
  readonly recoveryCodes: string[] | null;
  /** Unused codes, if the caller used one. */
  readonly recoveryCodesLeft: number | null;
}

/** The answer of a sign-in. A caller who sends `fingerprint` again gets it again; null: nobody gets it again. */
export interface SignInAnswer<Answer> {
  readonly answer: Answer;
  readonly fingerprint: Buffer | null;
}

/**
 * Nothing is changed unless the sign-in is `completed`. `raced`: another request changed the basis of the decision.
 * `passwordChanged`: the password is not that of the account any more. `answeredMeanwhile`: the exchange was completed,
 * the code created a session, or the same request was answered.
 */
export type SignInOutcome<Answer> =
  | { readonly kind: 'completed'; readonly answer: Answer; readonly isRepeatable: boolean }
  | { readonly kind: 'raced' | 'passwordChanged' | 'answeredMeanwhile' };

/**
 * Executes a decided sign-in in one transaction: the account, its links, the session and the answer, or nothing.
 * `answerOf` is pure.
 */
export async function completeSignIn<Answer>(
  deps: AccountsDeps,
  completion: SignInCompletion,
  answerOf: (completed: CompletedSignIn) => SignInAnswer<Answer>,
): Promise<SignInOutcome<Answer>> {
  try {
    return await inTransaction<SignInOutcome<Answer>>(deps.db, async (tx, rollBack) => {
      const refuse: Refuse = (kind) => rollBack({ kind });
      await endExchange(deps, tx, { completion, refuse });
      const completed = await openSession(deps, tx, { completion, refuse });
      const { answer, fingerprint } = answerOf(completed);
      if (fingerprint !== null) {
        const { id: sessionId, accountId } = completed.session;
        const kept = { fingerprint, sessionId, accountId, text: JSON.stringify(answer) };
        if (!(await keepRepeatableAnswer(deps, tx, kept))) throw refuse('answeredMeanwhile');
      }
      await auditSignIn(deps, tx, { completion, completed });
      return { kind: 'completed', answer, isRepeatable: fingerprint !== null };
    });
  } catch (error) {
    const outcome = outcomeOf(error);
    // Another request took the identity, or erased the account.
    if (outcome === 'uniqueViolation' || outcome === 'foreignKeyViolation') return { kind: 'raced' };
    throw error;
  }
}

/** Creates the error that rolls the transaction back. */
type Refuse = (kind: 'raced' | 'passwordChanged' | 'answeredMeanwhile') => Error;

interface Completing {
  readonly completion: SignInCompletion;
  readonly refuse: Refuse;
}

/** Runs first: of several requests with one exchange or one code, one creates the session. */
async function endExchange(
  { now }: AccountsDeps,
  tx: Queryable,
  { completion: { exchange, codeMarks }, refuse }: Completing,
): Promise<void> {
  if (!(await spendPasses(tx, codeMarks))) throw refuse('answeredMeanwhile');
  const isEnded = !exchange.isNamed || (await completeExchange(tx, exchange.id, now()));
  if (!isEnded) throw refuse('answeredMeanwhile');
}

async function openSession(
  deps: AccountsDeps,
  tx: Queryable,
  completing: Completing,
): Promise<CompletedSignIn> {
  const { completion, refuse } = completing;
  const { realm, account, input, amr } = completion;
  const people = inRealm(tx, realm);
  await lockThoseThatEnd(tx, completion);
  const newAccount = !('id' in account);
  const accountId = newAccount
    ? await createSignInAccount(deps, tx, { ...account, realm, input })
    : account.id;
  const change = { ...completion, accountId, newAccount };
  if (!(await linkIdentities(deps, people, change))) throw refuse('raced');
  const issuedDevice = completion.issueDevice ? await issueDevice(deps, people, accountId) : null;
  const recoveryCodes = await enrol(deps, tx, { ...completing, accountId });
  await keepUserInput(deps, people, { accountId, input, amr });
  const place = await placeOf(deps, tx, { completion, accountId });
  if (place === null) throw refuse('raced');
  const session = await issueSession(deps, people, {
    accountId,
    amr,
    newAccount,
    projectId: place.projectId,
    scopes: place.scopes,
    role: completion.role,
    metered: completion.metered,
    live: completion.live,
    comesOf: completion.comesOf,
    openedBy: openersOf(completion, issuedDevice),
    clientAddress: completion.actor.clientAddress,
  });
  if (session === null) throw refuse('raced');
  await checkStillProven(tx, completing);
  const recoveryCodesLeft = amr.includes('recovery') ? await countRecoveryCodes(people, accountId) : null;
  return { session, issuedDevice, createdProject: place.created, recoveryCodes, recoveryCodesLeft };
}

/**
 * Before any other row of the accounts changes: two requests that end each other's sessions run one after the other.
 */
async function lockThoseThatEnd(
  tx: Queryable,
  { realm, account, enrolment, move }: SignInCompletion,
): Promise<void> {
  if (enrolment === null && move.length === 0) return;
  const own = 'id' in account ? [account.id] : [];
  await lockAccounts(inRealm(tx, realm), [...own, ...move.map(({ from }) => from)]);
}

async function enrol(
  deps: AccountsDeps,
  tx: Queryable,
  { completion, refuse, accountId }: Completing & { readonly accountId: string },
): Promise<string[] | null> {
  const { realm, enrolment: proven, live } = completion;
  if (proven === null) return null;
  const codes = await completeEnrolment(deps, tx, { realm, accountId, proven, except: live?.id ?? null });
  if (codes === null) throw refuse('raced');
  return codes;
}

/** The project of the session and, for administrators, its permissions. */
async function placeOf(
  { now }: AccountsDeps,
  tx: Queryable,
  { completion, accountId }: { readonly completion: SignInCompletion; readonly accountId: string },
) {
  const { realm, project, createProject } = completion;
  if (realm !== 'installation' && project.kind === 'given')
    return { projectId: project.id, scopes: [], created: null };
  return placeAdministrator(tx, { accountId, project, createProject, nowMs: now() });
}

/** The account's own links are found among them when the session is created. */
function openersOf({ proofs }: SignInCompletion, issued: IssuedDevice | null): IdentityKey[] {
  return issued ? [...proofs, deviceKey(issued.deviceId)] : [...proofs];
}

/**
 * After the session exists: from then on, a change of the password or a new second factor ends it. An earlier change
 * was not visible to the fetched facts.
 */
async function checkStillProven(tx: Queryable, { completion, refuse }: Completing): Promise<void> {
  const { realm, account, password, knewSecondFactor } = completion;
  if (password === null || !('id' in account) || password.accountId !== account.id) return;
  const now = await findSafeguards(inRealm(tx, realm), account.id);
  if (now?.password_changed?.getTime() !== password.changed?.getTime()) throw refuse('passwordChanged');
  if (now?.has_second_factor && !knewSecondFactor) throw refuse('raced');
}

interface Audited {
  readonly completion: Pick<
    SignInCompletion,
    'realm' | 'actor' | 'link' | 'move' | 'issueDevice' | 'enrolment'
  >;
  readonly completed: CompletedSignIn;
}

/** Records a sign-in, in its transaction: the session, and each link that it created or moved. */
async function auditSignIn(
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
