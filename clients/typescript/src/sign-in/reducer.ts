import { readSession } from '../core/accounts.ts';
import { type Json, objectOf, textOf } from '../core/json.ts';
import type { Session } from '../core/options.ts';

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

/** Adds what the game gave, and returns the request to send. */
export function give(
  state: SignInState,
  input: SignInInput,
): { readonly state: SignInState; readonly request: SignInRequest } {
  const { code } = input;
  if (state.asked?.prompt === 'emailVerification' && code !== undefined) {
    const { password } = state.body;
    const body = { token: code, ...(password !== undefined && { password }) };
    return {
      state: { ...state, isVerifying: true },
      request: { method: 'POST', path: 'account/email/verify', body },
    };
  }
  const next = { ...state, body: merged(state.body, input), hasDroppedExchange: false };
  return { state: next, request: requestOf(next) };
}

/** What an answer means. `status` is 0 if none arrived. */
export function receive(state: SignInState, status: number, answer: unknown): SignInStep {
  const read = objectOf(answer) ?? {};
  const isTemporary = isTemporaryAnswer(status, read);
  if (state.isVerifying) {
    const next = { ...state, isVerifying: false };
    if (status === 200 && answer === true) return again(next);
    return isTemporary ? retry(state, read) : prompted(next, emptyPrompt('emailVerification'), errorOf(read));
  }
  if (status !== 200) return isTemporary ? retry(state, read) : refused(state, read);
  const { exchangeId } = read;
  const next = { ...state, exchangeId: textOf(exchangeId) ?? state.exchangeId };
  const session = readSession(read);
  if (session) return { state: next, outcome: { kind: 'session', session, recoveryCodes: codesOf(read) } };
  const asked = promptOf(read);
  if (asked) return prompted(next, asked);
  if (!('exchangeId' in read)) return retry(state, {});
  const error = { code: 0, message: 'unknownPrompt', fields: null };
  return { state: next, outcome: { kind: 'failed', error, retryAfterSeconds: 0 } };
}

function codesOf({ recoveryCodes }: Json): readonly string[] | null {
  return Array.isArray(recoveryCodes) ? recoveryCodes.map(String) : null;
}

function isTemporaryAnswer(status: number, { code }: Json): boolean {
  return status < 400 || status === 408 || status > 499 || code === 6001 || code === 6002 || code === 6003;
}

function requestOf({ body, exchangeId }: SignInState): SignInRequest {
  return { method: 'PUT', path: 'authenticate', body: exchangeId === null ? body : { ...body, exchangeId } };
}

function again(state: SignInState): SignInStep {
  return { state, outcome: { kind: 'request', request: requestOf(state) } };
}

function retry(state: SignInState, answer: Json): SignInStep {
  return { state, outcome: { kind: 'retry', retryAfterSeconds: secondsOf(answer) } };
}

type Asked = NonNullable<SignInState['asked']>;

function prompted(state: SignInState, asked: Asked, error: SignInError | null = null): SignInStep {
  return { state: { ...state, asked }, outcome: { kind: 'prompt', ...asked, error } };
}

function emptyPrompt(prompt: Prompt): Asked {
  return { prompt, options: {} };
}

function promptOf(answer: Json): Asked | null {
  const { intent, passwordResetEmailSent, availableProjects, twoFactorEnrolment, linking } = answer;
  const isAsked = (what: string) => answer[`promptFor${what}`] === true;
  const of = (prompt: Prompt, options?: unknown) => ({ prompt, options: objectOf(options) ?? {} });
  if (isAsked('Project')) return of('project', { projects: availableProjects });
  if (isAsked('EmailAddress')) return of(intent === 'register' ? 'registration' : 'identifier');
  if (isAsked('Password')) return of(passwordResetEmailSent === true ? 'passwordUnset' : 'password');
  if (isAsked('TwoFactorEnrolment')) return of('secondFactorEnrolment', twoFactorEnrolment);
  const isMailed = isAsked('EmailVerification');
  if (isAsked('TwoFactorCode')) return of(isMailed ? 'mailedCode' : 'secondFactor');
  if (isMailed) return of('emailVerification');
  if (isAsked('Linking')) return of('linking', linking);
  if (isAsked('Terms')) return of('terms');
  return isAsked('MarketingPreferenceOptIn') ? of('marketing') : null;
}

/** By code: what is forgotten, and the prompt that follows. Without one, the last prompt follows. */
const refusals: Readonly<Record<number, readonly [member: string, prompt?: Prompt]>> = {
  4001: ['password', 'password'],
  4002: ['tokens', 'identifier'],
  4003: ['tokens', 'identifier'],
  4004: ['twoFactor'],
  4005: ['twoFactor'],
  4010: ['password'],
};

function refused(state: SignInState, answer: Json): SignInStep {
  const error = errorOf(answer);
  const [member, prompt] = refusals[error.code] ?? [];
  if (member) {
    const { [member]: _, ...body } = state.body;
    const asked = prompt ? null : state.asked;
    return prompted({ ...state, body }, asked ?? emptyPrompt(prompt ?? 'identifier'), error);
  }
  if (error.code === 4012 && !state.hasDroppedExchange)
    return again({ ...state, exchangeId: null, hasDroppedExchange: true });
  return { state, outcome: { kind: 'failed', error, retryAfterSeconds: secondsOf(answer) } };
}

function secondsOf({ data }: Json): number {
  return Math.max(0, Number(objectOf(data)?.['retryAfterSeconds'])) || 0;
}

function errorOf({ code, message, fields }: Json): SignInError {
  return {
    code: Number.isInteger(code) ? Number(code) : 0,
    message: textOf(message) ?? 'unexpected answer',
    fields: textOf(fields) ?? null,
  };
}

function merged(body: Json, input: SignInInput): Json {
  const made: Record<string, unknown> = { ...body };
  const known = (members: Json) =>
    Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  const setIn = (name: string, members: Json) => {
    const given = known(members);
    if (Object.keys(given).length) made[name] = { ...objectOf(made[name]), ...given };
  };
  const { code, trust, action, accountRef, openId, device, steamTicket, itchIoKey, discordToken } = input;
  Object.assign(
    made,
    known({
      emailAddress: input.email,
      password: input.password,
      projectId: input.projectId,
      marketingPreferenceOptIn: input.optIn,
    }),
  );
  if (input.register) made['intent'] = 'register';
  if (action === 'cancel') made['intent'] = action;
  else if (action) made['linkDecision'] = { action, ...(accountRef && { accountRef }) };
  setIn('twoFactor', {
    twoFactorCode: code,
    trustThisDevice: trust && true,
    deviceIdentifier: trust?.identifier,
    deviceIdentifierFriendlyName: trust?.name,
  });
  setIn('registration', { displayName: input.displayName, locale: input.locale, acceptedTerms: input.terms });
  setIn('tokens', {
    steamTokens: steamTicket && [{ userTicket: steamTicket }],
    itchIoTokens: itchIoKey && [{ apiKey: itchIoKey }],
    discordTokens: discordToken && [{ accessToken: discordToken }],
    oAuthTokens: openId && [openId],
    deviceTokens: device && [device],
  });
  return made;
}
