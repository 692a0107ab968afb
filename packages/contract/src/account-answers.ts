import Type from 'typebox';
import { closedObject, orNull } from './json/schema-shapes.ts';

/* The answers of the session and account endpoints. */

const seconds = Type.Integer({ minimum: 0, description: 'UNIX seconds' });

export const sessionListSchema = closedObject({
  sessions: Type.Array(
    closedObject({
      id: Type.String(),
      projectId: Type.String(),
      role: Type.String(),
      amr: Type.Array(Type.String()),
      start: seconds,
      expiry: seconds,
      current: Type.Boolean(),
    }),
  ),
});

export const accountSchema = closedObject({
  id: Type.String(),
  emailAddress: orNull(Type.String()),
  emailVerified: Type.Boolean(),
  hasPassword: Type.Boolean(),
  hasTwoFactor: Type.Boolean(),
  profile: closedObject({
    displayName: orNull(Type.String()),
    avatarUrl: orNull(Type.String()),
    locale: orNull(Type.String()),
  }),
  marketingPreferenceOptIn: orNull(Type.Boolean()),
  created: seconds,
});

export const identityListSchema = closedObject({
  identities: Type.Array(
    closedObject({
      id: Type.String(),
      provider: Type.String(),
      displayName: orNull(Type.String()),
      linked: seconds,
    }),
  ),
});

export const twoFactorBegunSchema = closedObject({
  secret: Type.String(),
  otpauthUri: Type.String(),
  qrSvg: Type.String(),
});

/** The flags of a sign-in that mails the code, or the authenticator to set up. */
export const twoFactorSetupSchema = closedObject({
  promptForEmailVerification: Type.Boolean({
    description: 'Send the call again with the code that was mailed to the address of the account',
  }),
  promptForTwoFactorCode: Type.Boolean({ description: 'The code is sent as `twoFactorCode`' }),
  secret: orNull(Type.String()),
  otpauthUri: orNull(Type.String()),
  qrSvg: orNull(Type.String()),
});

export const recoveryCodesSchema = closedObject({
  recoveryCodes: Type.Array(Type.String(), { description: 'Shown only once' }),
});

export const accountExportSchema = Type.Object(
  {
    account: Type.Object({}, { additionalProperties: true }),
    events: Type.Array(Type.Object({}, { additionalProperties: true })),
    quarantined: Type.Array(Type.Object({}, { additionalProperties: true })),
    complete: Type.Literal(true, { description: 'Nothing is missing' }),
  },
  { additionalProperties: true },
);

export const accountErasedSchema = closedObject({
  removed: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  erasures: Type.Array(closedObject({ id: Type.String(), projectId: Type.String() })),
});

export const erasureSchema = closedObject({
  id: Type.String(),
  state: Type.String({ description: '`done` when the erasure is complete' }),
  certificate: orNull(Type.Object({}, { additionalProperties: true })),
});
