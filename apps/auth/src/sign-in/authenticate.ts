import type { ExchangeRow } from '@tickrate/accounts';
import { type AuthenticationResponse, systemError } from '@tickrate/contract';
import type { Principal } from '@tickrate/registry';
import { auditRepeat } from './audit.ts';
import { type Credentials, readCredentials } from './request/credentials.ts';
import { fingerprintOf } from './request/fingerprint.ts';
import {
  AnsweredMeanwhile,
  type AuthContext,
  type AuthenticateCall,
  type Fingerprint,
  type ProjectSettings,
  realmOf,
  roleOf,
  type SignIn,
} from './sign-in.ts';

/** The answer of the exchange, and whether the same secret gets it again. */
export interface Answered {
  readonly answer: AuthenticationResponse;
  readonly isRepeatable: boolean;
}

export interface AuthenticateOptions {
  readonly runExchange: (signIn: SignIn) => Promise<Answered>;
  readonly readSettings: (projectId: string, role: string) => Promise<ProjectSettings>;
}

interface Read {
  readonly call: AuthenticateCall;
  readonly credentials: Credentials;
}

/**
 * One request of the exchange. An identical request within a minute gets the same answer; any other request runs the
 * exchange. Identical requests contain the same secret, so only the same caller gets the answer.
 */
export function createAuthenticate(context: AuthContext, options: AuthenticateOptions) {
  const { accounts, keyring } = context;

  async function repeated(call: AuthenticateCall, fingerprint: Fingerprint | null): Promise<Answered | null> {
    const text = fingerprint && (await accounts.signIns.findAnswer(fingerprint.hash));
    if (text === null) return null;
    const answer = JSON.parse(text) as AuthenticationResponse;
    await auditRepeat(context, call, answer);
    return { answer, isRepeatable: true };
  }

  async function attempt({ call, credentials }: Read): Promise<Answered> {
    const { request, principal } = call;
    const role = roleOf(call);
    const [settings, named] = await Promise.all([
      options.readSettings(principal.projectId, role),
      findNamedExchange(context, request.exchangeId ?? null, principal),
    ]);
    const fingerprint = fingerprintOf(keyring, call, { credentials, named, settings });
    const known = await repeated(call, fingerprint);
    if (known) return known;
    const exchange = await accounts.exchanges.open(named);
    const realm = realmOf(call);
    return options.runExchange({ ...call, exchange, credentials, fingerprint, role, realm, settings });
  }

  /** Tries once more if an identical request was faster at any process: its answer is stored then. */
  async function run(read: Read): Promise<Answered> {
    for (;;) {
      try {
        return await attempt(read);
      } catch (error) {
        if (!(error instanceof AnsweredMeanwhile)) throw error;
      }
    }
  }

  const runOnce = createRunOnce(run, ({ call }, { answer }) => auditRepeat(context, call, answer));

  return async (call: AuthenticateCall): Promise<AuthenticationResponse> => {
    const credentials = readCredentials(call.request);
    const read = { call, credentials };
    const fingerprint = fingerprintOf(keyring, call, { credentials, named: null, settings: null });
    const answered = fingerprint ? runOnce(fingerprint.hash.toString('base64'), read) : run(read);
    return (await answered).answer;
  };
}

/** Waits for an identical request in progress. Its result is used only if this caller may get it again. */
function createRunOnce(
  run: (read: Read) => Promise<Answered>,
  onRepeat: (read: Read, answered: Answered) => Promise<void>,
) {
  const inFlight = new Map<string, Promise<Answered>>();
  return async (name: string, read: Read): Promise<Answered> => {
    const running = inFlight.get(name);
    if (running) {
      const answered = await running;
      if (!answered.isRepeatable) return run(read);
      await onRepeat(read, answered);
      return answered;
    }
    const own = run(read);
    inFlight.set(name, own);
    try {
      return await own;
    } finally {
      inFlight.delete(name);
    }
  };
}

/** The exchange that the caller names, open or not; null without one. Throws 4012 for one of another key or project. */
async function findNamedExchange(
  { accounts }: AuthContext,
  exchangeId: string | null,
  principal: Principal,
): Promise<ExchangeRow | null> {
  const found = exchangeId === null ? null : await accounts.exchanges.find(exchangeId, principal);
  if (found === 'foreign') throw systemError('exchangeConflict');
  return found;
}
