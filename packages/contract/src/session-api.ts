import Type, { type Static } from 'typebox';
import { twoFactorBegunSchema } from './account-api.ts';
import { closedObject, orNull } from './json/schema-shapes.ts';
import { languageTagSchema } from './language-tag.ts';
import { shownTextFormat } from './printable.ts';

/*
 * The bodies and answers of the session API. Every member of a request is optional, and null and "" mean the same.
 * Every member of an answer is present, and null if it has no value.
 */

/** The path prefixes. The first is documented; the others serve the same calls. */
export const sessionVersions = ['2018-03-24', 'v1'] as const;

const secret = Type.String({ minLength: 1, maxLength: 16_384 });
const shortText = Type.String({ minLength: 1, maxLength: 200 });

const intents = ['login', 'register', 'link', 'link-confirm', 'cancel'] as const;
const linkActions = ['link', 'skip', 'switch', 'move'] as const;

function tokenList(members: Record<string, typeof secret>) {
  const optional = Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)]),
  );
  return Type.Optional(Type.Array(Type.Object(optional), { maxItems: 16 }));
}

export const authenticationRequestSchema = Type.Object({
  tokens: Type.Optional(
    Type.Object({
      steamTokens: tokenList({ userTicket: secret }),
      itchIoTokens: tokenList({ apiKey: secret }),
      discordTokens: tokenList({ accessToken: secret }),
      deviceTestTokens: tokenList({ deviceId: secret }),
      oAuthTokens: tokenList({ connectionId: secret, idToken: secret, nonce: secret }),
      deviceTokens: tokenList({ deviceId: secret, deviceSecret: secret }),
    }),
  ),
  emailAddress: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  passwordHash: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$' })),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  twoFactor: Type.Optional(
    Type.Object({
      twoFactorCode: Type.Optional(shortText),
      deviceIdentifier: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
      deviceIdentifierFriendlyName: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, format: shownTextFormat }),
      ),
      trustThisDevice: Type.Optional(Type.Boolean()),
    }),
  ),
  requestedRole: Type.Optional(shortText),
  promptForProject: Type.Optional(Type.Boolean()),
  projectId: Type.Optional(shortText),
  marketingPreferenceOptIn: Type.Optional(Type.Boolean()),
  metered: Type.Optional(
    Type.Boolean({
      description: 'Whether to count the minutes of the session. The default is false',
    }),
  ),
  exchangeId: Type.Optional(shortText),
  intent: Type.Optional(Type.Enum([...intents])),
  linkDecision: Type.Optional(
    Type.Object({ action: Type.Optional(Type.Enum([...linkActions])), accountRef: Type.Optional(shortText) }),
  ),
  registration: Type.Optional(
    Type.Object({
      displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 64, format: shownTextFormat })),
      locale: Type.Optional(languageTagSchema),
      acceptedTerms: Type.Optional(
        Type.Array(Type.Object({ id: Type.Optional(shortText), version: Type.Optional(shortText) }), {
          maxItems: 20,
        }),
      ),
    }),
  ),
});
export type AuthenticationRequest = Static<typeof authenticationRequestSchema>;

/** A browser's visit to the provider of the studio: base64url texts of at least 128 random bits, and of a SHA-256. */
const random = Type.String({ pattern: '^[\\w-]{22,128}$' });
export const studioVisitSchema = Type.Object({
  state: random,
  nonce: random,
  codeChallenge: Type.String({ pattern: '^[\\w-]{43}$' }),
});
export const studioReturnSchema = Type.Object({
  code: secret,
  codeVerifier: Type.String({ pattern: '^[\\w.~-]{43,128}$' }),
});

/** How administrators sign in. */
export const studioProviderSchema = closedObject({ name: orNull(Type.String()), only: Type.Boolean() });

const seconds = Type.Integer({ minimum: 0 });

export const sessionRecordSchema = closedObject({
  id: Type.String({ pattern: '^us-' }),
  accountId: Type.String({ pattern: '^u-' }),
  projectId: Type.String(),
  apiKey: Type.String(),
  /** Returned once, when the session is created. Null when the session is read again. */
  secretKey: orNull(Type.String()),
  start: seconds,
  expiry: seconds,
  absoluteExpiry: seconds,
  metered: Type.Boolean({ description: 'As requested in the sign-in; false if it was not requested' }),
  billedMinutes: Type.Integer({
    minimum: 0,
    description:
      'Full minutes of a metered session from its start until its end, or until now; 0 for other sessions. They are not billed',
  }),
  profile: orNull(
    closedObject({
      displayName: orNull(Type.String()),
      avatarUrl: orNull(Type.String()),
      locale: orNull(Type.String()),
    }),
  ),
  role: Type.String(),
  amr: Type.Array(Type.String()),
  newAccount: Type.Boolean(),
});
export type SessionRecord = Static<typeof sessionRecordSchema>;

export const promptFlags = [
  'promptForEmailAddress',
  'promptForPassword',
  'promptForTwoFactorCode',
  'promptForProject',
  'promptForMarketingPreferenceOptIn',
  'promptForLinking',
  'promptForTerms',
  'promptForEmailVerification',
  'promptForTwoFactorEnrolment',
  'passwordResetEmailSent',
] as const;
export type PromptFlag = (typeof promptFlags)[number];

/** Information for the user or the developer. More values may be added. None requires an action. */
const noticeKinds = [
  'unknownMembers',
  'passwordWeak',
  'deviceNotTrusted',
  'tokenNotLinked',
  'recoveryCodesLow',
] as const;
export type Notice = (typeof noticeKinds)[number];

const flag = Type.Boolean();

export const authenticationResponseSchema = closedObject({
  authenticatedSession: orNull(sessionRecordSchema),
  intent: orNull(Type.Enum([...intents])),
  availableProjects: orNull(
    Type.Array(closedObject({ id: Type.String(), name: Type.String(), role: Type.String() })),
  ),
  linking: orNull(
    closedObject({
      reason: Type.String(),
      options: Type.Array(Type.Enum([...linkActions, 'cancel'])),
      accounts: Type.Array(
        closedObject({
          accountRef: Type.String(),
          displayName: orNull(Type.String()),
          providers: Type.Array(Type.String()),
        }),
      ),
    }),
  ),
  exchangeId: Type.String(),
  exchangeExpires: seconds,
  issuedDeviceToken: orNull(closedObject({ deviceId: Type.String(), deviceSecret: Type.String() })),
  /** The authenticator to set up, with promptForTwoFactorEnrolment. It stays the same during an exchange. */
  twoFactorEnrolment: orNull(twoFactorBegunSchema),
  /** Recovery codes of a second factor that was set up during the exchange. Returned once. */
  recoveryCodes: orNull(Type.Array(Type.String())),
  createdProject: orNull(closedObject({ id: Type.String(), name: Type.String() })),
  created: Type.Boolean(),
  tokens: Type.Array(
    closedObject({
      provider: Type.String(),
      index: Type.Integer({ minimum: 0 }),
      status: Type.Enum([
        'accepted',
        'rejected',
        'expired',
        'alreadyUsed',
        'unavailable',
        'notConfigured',
        'banned',
      ]),
      displayName: orNull(Type.String()),
    }),
  ),
  notices: Type.Array(Type.Enum([...noticeKinds])),
  unknownMembers: Type.Array(Type.String(), {
    maxItems: 20,
    description:
      'JSON pointers of the first members of the request that were ignored because they are unknown',
  }),
  promptForEmailAddress: flag,
  promptForPassword: flag,
  promptForTwoFactorCode: flag,
  promptForProject: flag,
  promptForMarketingPreferenceOptIn: flag,
  promptForLinking: flag,
  promptForTerms: flag,
  promptForEmailVerification: flag,
  promptForTwoFactorEnrolment: flag,
  passwordResetEmailSent: flag,
});
export type AuthenticationResponse = Static<typeof authenticationResponseSchema>;
