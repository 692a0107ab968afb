import type { Session } from '../core/options.ts';
import { readSession } from '../core/sessions.ts';

export type Prompt =
  | 'project'
  | 'registration'
  | 'identifier'
  | 'passwordUnset'
  | 'password'
  | 'secondFactorEnrolment'
  | 'mailedCode'
  | 'secondFactor'
  | 'emailVerification'
  | 'linking'
  | 'terms'
  | 'marketing';

/** What the game gives: credentials at the beginning, or the answer to a prompt. */
export interface SignInInput {
  readonly email?: string;
  readonly password?: string;
  readonly register?: boolean;
  readonly code?: string;
  /** Skips the second factor on this device from now on. The identifier is 32 random hex digits, and a secret. */
  readonly trust?: { readonly identifier: string; readonly name?: string };
  readonly action?: string;
  readonly accountRef?: string;
  readonly terms?: readonly { readonly id: string; readonly version: string }[];
  readonly optIn?: boolean;
  readonly projectId?: string;
  readonly displayName?: string;
  readonly locale?: string;
  readonly steamTicket?: string;
  readonly itchIoKey?: string;
  readonly discordToken?: string;
  readonly openId?: { readonly connectionId: string; readonly idToken: string; readonly nonce?: string };
  readonly device?: { readonly deviceId: string; readonly deviceSecret?: string };
}

export interface SignInError {
  /** 0 for an error of this SDK. */
  readonly code: number;
  readonly message: string;
  readonly fields: string | null;
}

type Json = Readonly<Record<string, unknown>>;

export interface SignInState {
  /** Everything sent so far. */
  readonly body: Json;
  readonly exchangeId: string | null;
  readonly asked: { readonly prompt: Prompt; readonly options: Json } | null;
  readonly isVerifying: boolean;
  readonly hasDroppedExchange: boolean;
}

export interface SignInRequest {
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  readonly body: Json;
}

export type SignInOutcome =
  | { readonly kind: 'request'; readonly request: SignInRequest }
  | {
      readonly kind: 'prompt';
      readonly prompt: Prompt;
      readonly options: Json;
      readonly error: SignInError | null;
    }
  | { readonly kind: 'session'; readonly session: Session; readonly recoveryCodes: readonly string[] | null }
  | { readonly kind: 'retry'; readonly retryAfterSeconds: number }
  | { readonly kind: 'failed'; readonly error: SignInError; readonly retryAfterSeconds: number };

export interface SignInStep {
  readonly state: SignInState;
  readonly outcome: SignInOutcome;
}

export const beginning: SignInState = {
  body: {},
  exchangeId: null,
  asked: null,
  isVerifying: false,
  hasDroppedExchange: false,
};

/** Adds what the game gave; the outcome is the request to send. */
export function give(state: SignInState, input: SignInInput): SignInStep {
  const { password } = state.body;
  if (state.asked?.prompt === 'emailVerification' && input.code !== undefined) {
    const body = { token: input.code, ...(password === undefined ? {} : { password }) };
    const request = { method: 'POST', path: 'account/email/verify', body } as const;
    return { state: { ...state, isVerifying: true }, outcome: { kind: 'request', request } };
  }
  const next = { ...state, body: merged(state.body, input), hasDroppedExchange: false };
  return { state: next, outcome: requestOf(next) };
}

/** What an answer means. `status` is 0 if none arrived. */
export function receive(state: SignInState, status: number, answer: unknown): SignInStep {
  const read = typeof answer === 'object' && answer !== null ? (answer as Json) : {};
  if (state.isVerifying) return receiveVerified(state, status, { answer, read });
  if (status !== 200) return refused(state, status, read);
  const exchangeId = typeof read['exchangeId'] === 'string' ? read['exchangeId'] : state.exchangeId;
  const next = { ...state, exchangeId };
  const session = readSession(read);
  if (session) {
    const codes = read['recoveryCodes'];
    const recoveryCodes = Array.isArray(codes) ? codes.map(String) : null;
    return { state: next, outcome: { kind: 'session', session, recoveryCodes } };
  }
  const asked = promptOf(read);
  if (asked) return prompted(next, asked, null);
  if (!('exchangeId' in read)) return { state, outcome: { kind: 'retry', retryAfterSeconds: 0 } };
  return { state: next, outcome: failed({ code: 0, message: 'unknownPrompt', fields: null }) };
}

function receiveVerified(
  state: SignInState,
  status: number,
  { answer, read }: { answer: unknown; read: Json },
): SignInStep {
  if (status === 200 && answer === true) {
    const next = { ...state, isVerifying: false };
    return { state: next, outcome: requestOf(next) };
  }
  if (isTemporary(status, read)) return { state, outcome: retry(read) };
  const next = { ...state, isVerifying: false };
  return prompted(next, { prompt: 'emailVerification', options: {} }, errorOf(read));
}

function requestOf({ body, exchangeId }: SignInState): SignInOutcome {
  const sent = exchangeId === null ? body : { ...body, exchangeId };
  return { kind: 'request', request: { method: 'PUT', path: 'authenticate', body: sent } };
}

function prompted(
  state: SignInState,
  asked: NonNullable<SignInState['asked']>,
  error: SignInError | null,
): SignInStep {
  return { state: { ...state, asked }, outcome: { kind: 'prompt', ...asked, error } };
}

function promptOf(answer: Json): SignInState['asked'] {
  const has = (name: string) => answer[name] === true;
  const of = (prompt: Prompt, options: unknown = {}) => ({ prompt, options: (options ?? {}) as Json });
  if (has('promptForProject')) return of('project', { projects: answer['availableProjects'] });
  if (has('promptForEmailAddress'))
    return of(answer['intent'] === 'register' ? 'registration' : 'identifier');
  if (has('promptForPassword')) return of(has('passwordResetEmailSent') ? 'passwordUnset' : 'password');
  if (has('promptForTwoFactorEnrolment')) return of('secondFactorEnrolment', answer['twoFactorEnrolment']);
  const isMailed = has('promptForEmailVerification');
  if (has('promptForTwoFactorCode')) return of(isMailed ? 'mailedCode' : 'secondFactor');
  if (isMailed) return of('emailVerification');
  if (has('promptForLinking')) return of('linking', answer['linking']);
  if (has('promptForTerms')) return of('terms');
  if (has('promptForMarketingPreferenceOptIn')) return of('marketing');
  return null;
}

function refused(state: SignInState, status: number, answer: Json): SignInStep {
  const error = errorOf(answer);
  const { code } = error;
  const without = (name: string): SignInState => {
    const { [name]: _, ...body } = state.body;
    return { ...state, body };
  };
  const last = state.asked ?? { prompt: 'identifier', options: {} };
  if (isTemporary(status, answer)) return { state, outcome: retry(answer) };
  if (code === 4001) return prompted(without('password'), { prompt: 'password', options: {} }, error);
  if (code === 4010) return prompted(without('password'), last, error);
  if (code === 4004 || code === 4005) return prompted(without('twoFactor'), last, error);
  if (code === 4002 || code === 4003)
    return prompted(without('tokens'), { prompt: 'identifier', options: {} }, error);
  if (code === 4012 && !state.hasDroppedExchange) {
    const next = { ...state, exchangeId: null, hasDroppedExchange: true };
    return { state: next, outcome: requestOf(next) };
  }
  return { state, outcome: failed(error, secondsOf(answer)) };
}

function isTemporary(status: number, answer: Json): boolean {
  const code = Number(answer['code']);
  return status < 400 || status === 408 || status >= 500 || code === 6001 || code === 6002 || code === 6003;
}

function retry(answer: Json): SignInOutcome {
  return { kind: 'retry', retryAfterSeconds: secondsOf(answer) };
}

function failed(error: SignInError, retryAfterSeconds = 0): SignInOutcome {
  return { kind: 'failed', error, retryAfterSeconds };
}

function secondsOf({ data }: Json): number {
  const seconds = Number((data as Json | undefined)?.['retryAfterSeconds']);
  return Math.max(0, seconds) || 0;
}

function errorOf({ code, message, fields }: Json): SignInError {
  return {
    code: Number.isInteger(code) ? Number(code) : 0,
    message: typeof message === 'string' ? message : 'unexpected answer',
    fields: typeof fields === 'string' ? fields : null,
  };
}

function merged(body: Json, input: SignInInput): Json {
  const made: Record<string, unknown> = { ...body };
  const set = (name: string, value: unknown) => {
    if (value !== undefined) made[name] = value;
  };
  const setIn = (name: string, members: Json) => {
    const known = Object.entries(members).filter(([, value]) => value !== undefined);
    if (known.length > 0) made[name] = { ...(made[name] as Json | undefined), ...Object.fromEntries(known) };
  };
  const { code, trust, action, accountRef, openId, device } = input;
  set('emailAddress', input.email);
  set('password', input.password);
  set('projectId', input.projectId);
  set('marketingPreferenceOptIn', input.optIn);
  if (input.register) made['intent'] = 'register';
  if (action === 'cancel') made['intent'] = 'cancel';
  else if (action) made['linkDecision'] = { action, ...(accountRef && { accountRef }) };
  setIn('twoFactor', {
    twoFactorCode: code,
    trustThisDevice: trust && true,
    deviceIdentifier: trust?.identifier,
    deviceIdentifierFriendlyName: trust?.name,
  });
  setIn('registration', { displayName: input.displayName, locale: input.locale, acceptedTerms: input.terms });
  setIn('tokens', {
    steamTokens: input.steamTicket && [{ userTicket: input.steamTicket }],
    itchIoTokens: input.itchIoKey && [{ apiKey: input.itchIoKey }],
    discordTokens: input.discordToken && [{ accessToken: input.discordToken }],
    oAuthTokens: openId && [openId],
    deviceTokens: device && [device],
  });
  return made;
}
