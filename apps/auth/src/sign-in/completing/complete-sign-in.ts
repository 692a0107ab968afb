import { createHash } from 'node:crypto';
import {
  archiveIfShut,
  becomeFirstAdministrator,
  endSessions,
  findSafeguards,
  type IdentityKey,
  type InRealm,
  inRealm,
  insertAccount,
  insertDeviceSecret,
  insertIdentity,
  isAddressTaken,
  keepAnswers,
  leaveNotice,
  lockAccounts,
  moveIdentity,
  type NoticeKind,
  type Queryable,
  releaseAddress,
  type SessionRow,
  seeDevice,
  setPassword,
} from '@tickrate/accounts';
import { type AuthenticationResponse, createNamedId, type SessionRecord } from '@tickrate/contract';
import type { Plan } from '../../exchange/decision.ts';
import type { TokenFact } from '../../exchange/facts.ts';
import type { ProvenIdentity } from '../../providers/provider.ts';
import type { PasswordFact } from '../facts/check-password.ts';
import type { Enrolments, ProvenEnrolment } from '../facts/enrolments.ts';
import type { VerifiedToken } from '../facts/verify-tokens.ts';
import { readDeviceIdentifier } from '../request/device-identifier.ts';
import type { Ground, SignIn } from '../sign-in.ts';
import { PasswordOver, SignInRaced } from '../sign-in-raced.ts';
import { issueSession } from './issue-session.ts';
import type { PlaceAdministrator } from './place-administrator.ts';

export interface Completion {
  readonly signIn: SignIn;
  readonly plan: Plan;
  readonly tokens: readonly VerifiedToken[];
  readonly password: PasswordFact;
  /** The decision assumed an account with a second factor. */
  readonly knewSecondFactor: boolean;
  readonly amr: readonly string[];
  /** The live session, if only its key proves the account. */
  readonly comesOf: SessionRow | null;
  /** The password of an account that is created by address. */
  readonly passwordHash: string | null;
  readonly enrolment: ProvenEnrolment | null;
}

/** The hash of a secret of 256 random bits: a fast hash is enough. */
function hashDeviceSecret(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

export interface Completed {
  readonly session: SessionRecord;
  readonly issuedDeviceToken: AuthenticationResponse['issuedDeviceToken'];
  readonly createdProject: AuthenticationResponse['createdProject'];
  readonly recoveryCodes: string[] | null;
}

const trustMs = 30 * 24 * 3_600_000;

/**
 * Executes the decision in the caller's transaction: the account, its links and the session, or nothing. If another
 * request was faster, it fails with a duplicate or with SignInRaced; then the whole decision is made again.
 */
export function createCompleteSignIn(
  ground: Ground,
  placeAdministrator: PlaceAdministrator,
  enrol: Enrolments['complete'],
) {
  return async (tx: Queryable, completion: Completion): Promise<Completed> => {
    const { signIn, plan, amr, comesOf, enrolment } = completion;
    const people = inRealm(tx, signIn.realm);
    await lockThoseThatEnd(people, plan);
    const accountId = plan.accountId ?? (await createAccount(ground, tx, completion));
    await linkTokens(ground, people, { ...completion, accountId });
    await tellOfWays(ground, people, plan);
    const issuedDeviceToken = plan.issueDevice ? await issueDevice(ground, people, accountId) : null;
    const recoveryCodes =
      enrolment && plan.enrols ? await enrol(tx, { signIn, accountId, proven: enrolment }) : null;
    await keepWhatWasSaid(ground, people, { signIn, accountId, amr });
    const place = await placeAdministrator(tx, { signIn, plan, accountId });
    const session = await issueSession(ground, people, {
      signIn,
      plan: {
        accountId,
        amr,
        comesOf,
        projectId: place.projectId,
        scopes: place.scopes,
        role: plan.role,
        openedBy: openersOf(completion, issuedDeviceToken),
        newAccount: plan.accountId === null,
      },
    });
    await checkStillProven(people, completion);
    return { session, issuedDeviceToken, createdProject: place.created, recoveryCodes };
  };
}

/** The account's own links are found among them when the session is created. */
function openersOf(
  { tokens }: Completion,
  issued: AuthenticationResponse['issuedDeviceToken'],
): IdentityKey[] {
  const keys = tokens.flatMap(({ verdict }) => (verdict.status === 'accepted' ? [verdict.identity] : []));
  return issued ? [...keys, deviceKey(issued.deviceId)] : keys;
}

function deviceKey(subject: string): IdentityKey {
  return { provider: 'device', tenant: '', subject };
}

/**
 * Before any other row of the accounts changes: two requests that end each other's sessions run one after the other.
 */
async function lockThoseThatEnd(people: InRealm, { accountId, enrols, move }: Plan): Promise<void> {
  if (!enrols && move.length === 0) return;
  const ids = [accountId, ...move.map(({ from }) => from)].filter((id) => id !== null);
  await lockAccounts(people, ids);
}

/**
 * After the session exists: from then on, a change of the password or a new second factor ends it. An earlier change
 * was not visible to the fetched facts.
 */
async function checkStillProven(
  people: InRealm,
  { password, plan, knewSecondFactor }: Completion,
): Promise<void> {
  if (password.kind !== 'right' || password.accountId !== plan.accountId) return;
  const now = await findSafeguards(people, password.accountId);
  if (now?.password_changed?.getTime() !== password.changed?.getTime()) throw new PasswordOver();
  if (now?.has_second_factor && !knewSecondFactor) throw new SignInRaced();
}

async function createAccount(ground: Ground, tx: Queryable, completion: Completion): Promise<string> {
  const { signIn, plan, passwordHash } = completion;
  const { request, credentials, realm } = signIn;
  const people = inRealm(tx, realm);
  const nowMs = ground.now();
  const id = createNamedId('u', ground.randomBytes);
  const identities = plan.link.flatMap((fact) => identityOf(completion.tokens, fact) ?? []);
  const proven = identities.find(({ email }) => email?.verified)?.email?.address ?? null;
  const address = plan.newFrom === 'email' ? credentials.email : await takeAddress(ground, people, proven);
  await insertAccount(people, {
    id,
    nowMs,
    email: address && { ...address, verified: plan.newFrom !== 'email' },
    displayName:
      request.registration?.displayName ??
      identities.find(({ displayName }) => displayName)?.displayName ??
      null,
    avatarUrl: identities.find(({ avatarUrl }) => avatarUrl)?.avatarUrl ?? null,
    locale: request.registration?.locale ?? null,
    marketing: request.marketingPreferenceOptIn ?? null,
    terms: {},
  });
  if (plan.newFrom === 'email') {
    await becomeFirstAdministrator(tx, id);
    if (passwordHash !== null) await setPassword(people, { accountId: id, hash: passwordHash, nowMs });
  }
  return id;
}

/**
 * An address that a platform has verified: an account that has it without proof loses it, with all sign-in methods by
 * it.
 */
async function takeAddress(ground: Ground, people: InRealm, proven: string | null) {
  if (proven === null) return null;
  const address = proven.trim().normalize('NFC');
  const folded = address.toLowerCase().normalize('NFC');
  const squatter = await releaseAddress(people, folded);
  if (squatter !== null) {
    await endSessions(people, {
      accountId: squatter,
      sessionId: null,
      reason: 'addressProven',
      nowMs: ground.now(),
    });
  }
  return (await isAddressTaken(people, folded)) ? null : { address, folded };
}

async function linkTokens(
  ground: Ground,
  people: InRealm,
  { plan, tokens, accountId }: Completion & { readonly accountId: string },
): Promise<void> {
  const nowMs = ground.now();
  for (const fact of plan.link) {
    const identity = identityOf(tokens, fact);
    if (!identity) continue;
    const { displayName } = identity;
    await insertIdentity(people, { id: ground.newId(), accountId, key: identity, displayName, nowMs });
  }
  for (const { token, from } of plan.move) {
    const identity = identityOf(tokens, token);
    if (!identity) continue;
    const moved = await moveIdentity(people, { key: identity, from, to: accountId, nowMs });
    if (!moved) throw new SignInRaced();
    await archiveIfShut(people, from, nowMs);
    await endSessions(people, { accountId: from, sessionId: null, reason: 'identityMoved', nowMs });
  }
}

/** Mails the previous owner of the account about each sign-in method that was added or removed. */
async function tellOfWays(ground: Ground, people: InRealm, { accountId, ...plan }: Plan): Promise<void> {
  const tell = (to: string, kind: NoticeKind) =>
    leaveNotice(people, { id: ground.newId(), accountId: to, kind, nowMs: ground.now() });
  const isAdded = plan.link.length > 0 || plan.move.length > 0 || plan.issueDevice;
  if (accountId !== null && isAdded) await tell(accountId, 'identity-linked');
  for (const from of new Set(plan.move.map((each) => each.from))) await tell(from, 'identity-unlinked');
}

async function issueDevice(ground: Ground, people: InRealm, accountId: string) {
  const deviceId = createNamedId('d', ground.randomBytes);
  const deviceSecret = Buffer.from(ground.randomBytes(32)).toString('base64url');
  const nowMs = ground.now();
  await insertDeviceSecret(people, { deviceId, hash: hashDeviceSecret(deviceSecret), nowMs });
  const key = deviceKey(deviceId);
  await insertIdentity(people, { id: ground.newId(), accountId, key, displayName: null, nowMs });
  return { deviceId, deviceSecret };
}

async function keepWhatWasSaid(
  ground: Ground,
  people: InRealm,
  {
    signIn,
    accountId,
    amr,
  }: { readonly signIn: SignIn; readonly accountId: string; readonly amr: readonly string[] },
): Promise<void> {
  const { request } = signIn;
  const nowMs = ground.now();
  const marketing = request.marketingPreferenceOptIn ?? null;
  const { displayName = null, locale = null } = request.registration ?? {};
  const terms = termsOf(request);
  // Most requests change no preference; then concurrent sign-ins of one account do not wait for each other.
  if (marketing !== null || displayName !== null || locale !== null || Object.keys(terms).length > 0) {
    await keepAnswers(people, { accountId, nowMs, marketing, terms, displayName, locale });
  }
  const { deviceIdentifierFriendlyName, trustThisDevice } = request.twoFactor ?? {};
  const deviceIdentifier = readDeviceIdentifier(request);
  if (deviceIdentifier === null) return;
  // Only a code creates trust: a trusted device cannot extend its own trust.
  const isProven = amr.includes('otp') || amr.includes('recovery');
  await seeDevice(people, {
    accountId,
    nowMs,
    hash: ground.keyring.mac('device', deviceIdentifier),
    name: deviceIdentifierFriendlyName ?? null,
    trustedUntilMs: trustThisDevice && isProven ? nowMs + trustMs : null,
  });
}

export function termsOf(request: SignIn['request']): Record<string, string> {
  const terms = request.registration?.acceptedTerms ?? [];
  return Object.fromEntries(terms.flatMap(({ id, version }) => (id && version ? [[id, version]] : [])));
}

function identityOf(tokens: readonly VerifiedToken[], { provider, index }: TokenFact): ProvenIdentity | null {
  const found = tokens.find(({ token }) => token.provider === provider && token.index === index);
  return found?.verdict.status === 'accepted' ? found.verdict.identity : null;
}
