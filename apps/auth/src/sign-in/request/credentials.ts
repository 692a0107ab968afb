import { type Address, readAddress } from '@tickrate/accounts';
import { type AuthenticationRequest, parameterInvalid, systemError } from '@tickrate/contract';
import { derivePassword } from '../../passwords/derive-password.ts';
import type { PresentedToken } from '../../providers/provider.ts';

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
