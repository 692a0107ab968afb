import type { IncomingHttpHeaders } from 'node:http';
import { type Address, readAddress } from '@tickrate/accounts';
import { type AuthenticationRequest, parameterInvalid, systemError } from '@tickrate/contract';
import { derivePassword } from '../passwords/password-weakness.ts';
import type { PresentedToken } from '../providers/provider.ts';

/** The credentials of a request, in one form. */
export interface Credentials {
  readonly email: Address | null;
  /** Derived from the password, in either form; lower-case hex. */
  readonly derived: string | null;
  /** The typed password, if the client sent it. */
  readonly password: string | null;
  readonly tokens: readonly PresentedToken[];
  readonly wantsDevice: boolean;
}

const mostTokens = 16;
const mostPasswordBytes = 1024;

type TokenGroups = Readonly<
  Record<string, readonly Readonly<Record<string, string | undefined>>[] | undefined>
>;

const tokenGroups = [
  ['steamTokens', 'steam', ['userTicket']],
  ['itchIoTokens', 'itchIo', ['apiKey']],
  ['discordTokens', 'discord', ['accessToken']],
  ['deviceTestTokens', 'deviceTest', ['deviceId']],
  ['oAuthTokens', 'openId', ['connectionId', 'idToken']],
  ['deviceTokens', 'device', ['deviceId', 'deviceSecret']],
] as const;

/** Throws 1003 for invalid credentials. */
export function readCredentials(request: AuthenticationRequest): Credentials {
  const groups = (request.tokens ?? {}) as TokenGroups;
  const tokens = tokenGroups.flatMap(([member, provider, required]) =>
    (groups[member] ?? []).flatMap((fields, index): PresentedToken[] =>
      required.every((name) => fields[name] !== undefined)
        ? [{ provider, index, fields: orNull(fields) }]
        : [],
    ),
  );
  if (tokens.length > mostTokens) throw parameterInvalid('tokens', `more than ${mostTokens}`);
  return {
    email: request.emailAddress === undefined ? null : readAddress(request.emailAddress),
    derived: readPassword(request),
    password: request.password ?? null,
    tokens,
    // A device that names itself and has no secret yet gets one.
    wantsDevice: (groups['deviceTokens'] ?? []).some(
      ({ deviceId, deviceSecret }) => deviceId && !deviceSecret,
    ),
  };
}

/** The one value for both forms of a password; null when neither was sent. Throws 1003 when they differ. */
export function readPassword(given: {
  password?: string | undefined;
  passwordHash?: string | undefined;
}): string | null {
  const { password, passwordHash } = given;
  if (password === undefined) return passwordHash?.toLowerCase() ?? null;
  if (Buffer.byteLength(password) > mostPasswordBytes)
    throw parameterInvalid('password', 'longer than 1024 bytes');
  const derived = derivePassword(password);
  if (passwordHash !== undefined && passwordHash.toLowerCase() !== derived) {
    throw systemError(
      'parameterInvalid',
      {
        parameterName: 'passwordHash',
        parameterIsMissing: false,
        parameterInvalidReason: 'not that of the password',
      },
      { message: "The parameter 'passwordHash' is missing or invalid" },
    );
  }
  return derived;
}

function orNull(fields: Readonly<Record<string, string | undefined>>): Record<string, string | null> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null]));
}

/** A new device has no secret yet. The id of a test device and an address are not secrets. */
export function holdsSecret({ email, derived, tokens }: Credentials): boolean {
  return (email !== null && derived !== null) || tokens.some(isSecret);
}

export function isSecret({ provider }: { readonly provider: string }): boolean {
  return provider !== 'deviceTest';
}

/**
 * The caller's own secret, with which it can request its answer again; null without one. Throws 1003 for a key that
 * cannot contain 128 random bits, because others could send it too: fewer than 32 hex digits, or fewer than 22
 * characters of base64.
 */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | null {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  const key = String(given);
  if (canBeStrong(key)) return key;
  const reason = 'not 128 random bits: send 32 hex digits or 22 characters of base64';
  throw parameterInvalid('Idempotency-Key', reason);
}

/** The device's secret; null if it is missing or can be guessed. */
export function readDeviceIdentifier({ twoFactor }: AuthenticationRequest): string | null {
  const identifier = twoFactor?.deviceIdentifier;
  return identifier !== undefined && canBeStrong(identifier) ? identifier : null;
}

const fewestDifferent = 8;
const longest = 200;

/**
 * Whether a client's secret can contain 128 random bits: 32 hex digits, or 22 characters of base64, that neither repeat
 * nor count up or down. A random secret fails this less than once in 10^8.
 */
export function canBeStrong(secret: string): boolean {
  const digits = secret.replaceAll('-', '');
  const isLong = /^[0-9a-f]+$/i.test(digits) ? digits.length >= 32 : secret.length >= 22;
  return (
    /^[\w+/=.~-]+$/.test(secret) &&
    secret.length <= longest &&
    isLong &&
    new Set(secret).size >= fewestDifferent &&
    !repeats(digits) &&
    !counts(digits)
  );
}

/** Whether the text is one of at most half its length, written again and again. */
function repeats(text: string): boolean {
  const at = text.slice(1).indexOf(text.slice(0, Math.ceil(text.length / 2)));
  return at !== -1 && text.startsWith(text.slice(at + 1));
}

/** Whether most characters equal the one before them, or are its neighbour. */
function counts(text: string): boolean {
  const codes = [...text].map((character) => character.charCodeAt(0));
  const steps = codes.slice(1).filter((code, at) => Math.abs(code - (codes[at] ?? 0)) <= 1);
  return steps.length > ((codes.length - 1) * 2) / 3;
}
