import type { ExchangeRow } from '@tickrate/accounts';
import { findAnswer, findExchange, inRealm, openExchange, writeAuditUnlessErased } from '@tickrate/accounts';
import { type AuthenticationResponse, canonicalJson, systemError } from '@tickrate/contract';
import type { AuthParts } from '../parts.ts';
import { type Credentials, holdsSecret, readCredentials } from './credentials.ts';
import { AnsweredMeanwhile, runExchange } from './run-exchange.ts';
import {
  type AnsweredSignIn,
  type Fingerprint,
  installationRealm,
  type ProjectSettings,
  type SignInRequest,
} from './sign-in.ts';

/**
 * One request of the exchange. An identical request within a minute gets the same answer; any other request runs the
 * exchange. Identical requests contain the same secret, so only the same caller gets the answer.
 */
export async function authenticate(parts: AuthParts, call: SignInRequest): Promise<AuthenticationResponse> {
  const { clientAddress } = call;
  if (realmOf(call) === installationRealm && !parts.isAdministratorAddress(clientAddress)) {
    const fields = `${clientAddress} is not in CONSOLE_ALLOWED_ADDRESSES; if it is your proxy, set TRUSTED_PROXIES`;
    throw systemError('notPermitted', {}, { fields });
  }
  const credentials = readCredentials(call.request);
  const fingerprint = fingerprintOf(parts, call, { credentials, named: null, settings: null });
  const run = () => runUntilAnswered(parts, call, credentials);
  if (fingerprint === null) return (await run()).answer;
  const { inFlight } = parts;
  const name = fingerprint.hash.toString('base64');
  const running = inFlight.get(name);
  if (running) {
    // The result of an identical request in progress is used only if this caller may get it again.
    const { answer, isRepeatable } = await running;
    if (!isRepeatable) return (await run()).answer;
    await auditRepeat(parts, call, answer);
    return answer;
  }
  const own = run();
  inFlight.set(name, own);
  try {
    return (await own).answer;
  } finally {
    inFlight.delete(name);
  }
}

/** Tries once more if an identical request was faster at any process: its answer is stored then. */
async function runUntilAnswered(
  parts: AuthParts,
  call: SignInRequest,
  credentials: Credentials,
): Promise<AnsweredSignIn> {
  for (;;) {
    try {
      return await attempt(parts, call, credentials);
    } catch (error) {
      if (!(error instanceof AnsweredMeanwhile)) throw error;
    }
  }
}

async function attempt(
  parts: AuthParts,
  call: SignInRequest,
  credentials: Credentials,
): Promise<AnsweredSignIn> {
  const { request, principal } = call;
  const { accounts } = parts;
  const role = request.requestedRole ?? 'builtin:user';
  const [settings, named] = await Promise.all([
    parts.readSettings(principal.projectId, role),
    request.exchangeId === undefined ? null : findExchange(accounts, request.exchangeId, principal),
  ]);
  // Of another key or project.
  if (named === 'foreign') throw systemError('exchangeConflict');
  const fingerprint = fingerprintOf(parts, call, { credentials, named, settings });
  const text = fingerprint && (await findAnswer(accounts, fingerprint.hash));
  if (text !== null) {
    const answer = JSON.parse(text) as AuthenticationResponse;
    await auditRepeat(parts, call, answer);
    return { answer, isRepeatable: true };
  }
  const exchange = await openExchange(accounts, named);
  const realm = realmOf(call);
  return runExchange(parts, { ...call, credentials, role, realm, settings, exchange, fingerprint });
}

function realmOf({ request, principal }: SignInRequest): string {
  return request.requestedRole === 'builtin:admin' ? installationRealm : principal.projectId;
}

/** A repeated answer: records the client address that received it. */
async function auditRepeat(
  { accounts }: AuthParts,
  call: SignInRequest,
  { authenticatedSession: session }: AuthenticationResponse,
): Promise<void> {
  if (session === null) return;
  const { principal, requestId, clientAddress } = call;
  await writeAuditUnlessErased(accounts, inRealm(accounts.db, realmOf(call)), {
    actor: { projectId: principal.projectId, sessionId: session.id, requestId, clientAddress },
    act: 'signInRepeated',
    accountId: session.accountId,
  });
}

interface Basis {
  readonly credentials: Credentials;
  readonly named: ExchangeRow | null;
  /** Under other settings the same request is a different one. Null: not read yet. */
  readonly settings: ProjectSettings | null;
}

/** Null for a request without a secret: it is always answered anew. */
function fingerprintOf(
  { accounts: { keyring } }: AuthParts,
  { principal, request, idempotencyKey, live }: SignInRequest,
  { credentials, named, settings }: Basis,
): Fingerprint | null {
  const hash = (by: Fingerprint['by'], secret: string): Fingerprint => ({
    by,
    hash: keyring.mac(
      'request',
      by,
      principal.keyId,
      secret,
      canonicalJson(request),
      canonicalJson(settings),
    ),
  });
  if (idempotencyKey !== null) return hash('idempotencyKey', idempotencyKey);
  if (named !== null) return hash('exchange', named.id);
  return live !== null || holdsSecret(credentials) ? hash('credentials', '') : null;
}
