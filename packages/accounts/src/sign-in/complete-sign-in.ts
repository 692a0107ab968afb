import { type SessionRecord, scopeOfRole } from '@tickrate/contract';
import { outcomeOf, type Queryable } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';
import { type CreatedProject, type CreateProject, openDefaultProject } from '../administrators/members.ts';
import { holdRole } from '../administrators/roles.ts';
import { deviceKey, type IssuedDevice, issueDevice } from '../credentials/devices.ts';
import { findSafeguards } from '../credentials/passwords.ts';
import type { IdentityKey } from '../people/identities.ts';
import { type Actor, type AuditAct, writeAudit } from '../records/audit.ts';
import { completeEnrolment, type ProvenEnrolment } from '../second-factor/enrolments.ts';
import { countRecoveryCodes } from '../second-factor/second-factors.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import { keepAnswer } from './answers.ts';
import type { Exchange } from './exchanges.ts';
import { issueSession, lockAccounts, type SessionRow, sessionRecord } from './sessions.ts';
import {
  createSignInAccount,
  keepUserInput,
  type LinkChange,
  linkIdentities,
  type NewSignInAccount,
  type UserInput,
} from './sign-in-account.ts';

/** A decided sign-in: everything that its transaction does. */
export interface DecidedSignIn extends LinkChange {
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
  /** `default`: the first project of an administrator, which is created now. */
  readonly project: { readonly kind: 'default' } | { readonly kind: 'given'; readonly id: string };
  readonly createProject: CreateProject;
  readonly amr: readonly string[];
  readonly metered: boolean;
  /** The password that proved the account, and since when the account has it. */
  readonly password: { readonly accountId: string; readonly changed: Date | null } | null;
  /** The decision assumed an account with a second factor. */
  readonly knewSecondFactor: boolean;
  /** All identities that the request proved. */
  readonly proofs: readonly IdentityKey[];
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

/**
 * Nothing is changed unless the sign-in is `completed`. `raced`: another request changed the basis of the decision.
 * `passwordChanged`: the password is not that of the account any more. `answeredMeanwhile`: the exchange was completed,
 * the code created a session, or the same request was answered.
 */
export type SignInOutcome<Answer> =
  | { readonly kind: 'completed'; readonly answer: Answer; readonly isRepeatable: boolean }
  | { readonly kind: 'raced' | 'passwordChanged' | 'answeredMeanwhile' };

/** Rolls the transaction back. */
class NotCompleted extends Error {
  readonly kind: 'raced' | 'passwordChanged' | 'answeredMeanwhile';

  constructor(kind: NotCompleted['kind']) {
    super('The sign-in was not completed');
    this.kind = kind;
  }
}

/**
 * Executes a decided sign-in in one transaction: the account, its links, the session and the answer, or nothing.
 * `answerOf` is pure. A caller who sends its `fingerprint` again gets the answer again; null: nobody gets it again.
 */
export async function completeSignIn<Answer>(
  accounts: Accounts,
  signIn: DecidedSignIn,
  answerOf: (completed: CompletedSignIn) => { readonly answer: Answer; readonly fingerprint: Buffer | null },
): Promise<SignInOutcome<Answer>> {
  try {
    return await accounts.db.transaction(async (tx) => {
      await endExchange(accounts, tx, signIn);
      const completed = await openSession(accounts, tx, signIn);
      const { answer, fingerprint } = answerOf(completed);
      if (fingerprint !== null) {
        const kept = { fingerprint, text: JSON.stringify(answer), session: completed.session };
        if (!(await keepAnswer(accounts, tx, kept))) throw new NotCompleted('answeredMeanwhile');
      }
      await auditSignIn(accounts, inRealm(tx, signIn.realm), { signIn, completed });
      return { kind: 'completed', answer, isRepeatable: fingerprint !== null };
    });
  } catch (error) {
    if (error instanceof NotCompleted) return { kind: error.kind };
    const outcome = outcomeOf(error);
    // Another request took the identity, or erased the account.
    if (outcome === 'uniqueViolation' || outcome === 'foreignKeyViolation') return { kind: 'raced' };
    throw error;
  }
}

/** Runs first: of several requests with one exchange or one code, one creates the session. */
async function endExchange(
  { now }: Accounts,
  tx: Queryable,
  { exchange, codeMarks }: DecidedSignIn,
): Promise<void> {
  if (codeMarks.length > 0) {
    const sql = 'DELETE FROM auth.passed_codes WHERE mark = ANY ($1) RETURNING mark';
    const spent = await tx.query(sql, [codeMarks]);
    if (spent.length < codeMarks.length) throw new NotCompleted('answeredMeanwhile');
  }
  if (!exchange.isNamed) return;
  const completed = await tx.query(
    'UPDATE auth.exchanges SET completed = $2 WHERE id = $1 AND completed IS NULL RETURNING id',
    [exchange.id, new Date(now())],
  );
  if (completed.length === 0) throw new NotCompleted('answeredMeanwhile');
}

async function openSession(
  accounts: Accounts,
  tx: Queryable,
  signIn: DecidedSignIn,
): Promise<CompletedSignIn> {
  const { realm, account, input, amr, live } = signIn;
  const people = inRealm(tx, realm);
  await lockThoseThatEnd(people, signIn);
  const newAccount = !('id' in account);
  const accountId = newAccount
    ? await createSignInAccount(accounts, tx, { ...account, realm, input })
    : account.id;
  if (!(await linkIdentities(accounts, people, { ...signIn, accountId, newAccount }))) {
    throw new NotCompleted('raced');
  }
  const issuedDevice = signIn.issueDevice ? await issueDevice(accounts, people, accountId) : null;
  const recoveryCodes = await enrol(accounts, tx, { signIn, accountId });
  await keepUserInput(accounts, people, { accountId, input, amr });
  const { projectId, scopes, created } = await placeSession(accounts, tx, { signIn, accountId });
  // The account's own links are found among them when the session is created.
  const openedBy = issuedDevice ? [...signIn.proofs, deviceKey(issuedDevice.deviceId)] : signIn.proofs;
  const secretKey = Buffer.from(accounts.randomBytes(32)).toString('base64url');
  const issued = await issueSession(accounts, people, {
    accountId,
    amr,
    newAccount,
    projectId,
    scopes,
    role: signIn.role,
    metered: signIn.metered,
    live,
    proven: signIn.comesOf?.proven ?? null,
    absoluteExpires: signIn.comesOf?.absolute_expires ?? null,
    openedBy,
    clientAddress: signIn.actor.clientAddress,
    secretHash: accounts.keyring.mac('session secret', secretKey),
  });
  if (issued === null) throw new NotCompleted('raced');
  await checkStillProven(people, signIn);
  const recoveryCodesLeft = amr.includes('recovery') ? await countRecoveryCodes(people, accountId) : null;
  const shown = { account: issued.session, apiKey: issued.apiKey, secretKey, nowMs: accounts.now() };
  const session = sessionRecord(issued.session, shown);
  return { session, issuedDevice, createdProject: created, recoveryCodes, recoveryCodesLeft };
}

/**
 * Before any other row of the accounts changes: two requests that end each other's sessions run one after the other.
 */
async function lockThoseThatEnd(people: InRealm, { account, enrolment, move }: DecidedSignIn): Promise<void> {
  if (enrolment === null && move.length === 0) return;
  const own = 'id' in account ? [account.id] : [];
  await lockAccounts(people, [...own, ...move.map(({ from }) => from)]);
}

async function enrol(
  accounts: Accounts,
  tx: Queryable,
  { signIn, accountId }: { readonly signIn: DecidedSignIn; readonly accountId: string },
): Promise<string[] | null> {
  const { realm, enrolment: proven, live } = signIn;
  if (proven === null) return null;
  const codes = await completeEnrolment(accounts, tx, { realm, accountId, proven, except: live?.id ?? null });
  if (codes === null) throw new NotCompleted('raced');
  return codes;
}

/** The project of the session and, for administrators, its permissions. */
async function placeSession(
  { now }: Accounts,
  tx: Queryable,
  { signIn, accountId }: { readonly signIn: DecidedSignIn; readonly accountId: string },
) {
  const { realm, project, createProject } = signIn;
  if (project.kind === 'default') {
    // Another request has created it meanwhile, and is found when the decision is made again.
    const created = await openDefaultProject(tx, { accountId, createProject, nowMs: now() });
    if (created === null) throw new NotCompleted('raced');
    return { projectId: created.id, scopes: [scopeOfRole('owner')], created };
  }
  if (realm !== 'installation') return { projectId: project.id, scopes: [], created: null };
  const role = await holdRole(tx, { accountId, projectId: project.id });
  if (role === null) throw new NotCompleted('raced');
  return { projectId: project.id, scopes: [scopeOfRole(role)], created: null };
}

/**
 * After the session exists: from then on, a change of the password or a new second factor ends it. An earlier change
 * was not visible to the fetched facts.
 */
async function checkStillProven(
  people: InRealm,
  { account, password, knewSecondFactor }: DecidedSignIn,
): Promise<void> {
  if (password === null || !('id' in account) || password.accountId !== account.id) return;
  const now = await findSafeguards(people, account.id);
  if (now?.password_changed?.getTime() !== password.changed?.getTime())
    throw new NotCompleted('passwordChanged');
  if (now?.has_second_factor && !knewSecondFactor) throw new NotCompleted('raced');
}

/** Records a sign-in, in its transaction: the session, and each link that it created or moved. */
async function auditSignIn(
  accounts: Accounts,
  people: InRealm,
  { signIn, completed }: { readonly signIn: DecidedSignIn; readonly completed: CompletedSignIn },
): Promise<void> {
  const { id: sessionId, accountId, amr, role, newAccount, projectId: project } = completed.session;
  const actor = { ...signIn.actor, sessionId };
  const write = (act: AuditAct, details: Readonly<Record<string, unknown>>, of = accountId) =>
    writeAudit(accounts, people, { actor, act, accountId: of, details });
  if (!newAccount) {
    const device = signIn.issueDevice ? ['device'] : [];
    const linked = [...signIn.link.map(({ provider }) => provider), ...device];
    for (const provider of linked) await write('identityLinked', { provider });
  }
  for (const { identity, from } of signIn.move) {
    await write('identityMoved', { provider: identity.provider, from });
    await write('identityMoved', { provider: identity.provider, to: accountId }, from);
  }
  if (signIn.enrolment) await write('secondFactorEnrolled', {});
  if (completed.createdProject) await write('projectCreated', { project: completed.createdProject.id });
  await write('signIn', { amr, role, newAccount, project });
}
