import Type from 'typebox';
import { closedObject, orNull } from './json/schema-shapes.ts';
import { languageTagSchema } from './language-tag.ts';
import { shownTextFormat } from './printable.ts';

/* The request bodies of the account and session endpoints. As in a sign-in, null and "" mean "not given". */

const needed = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const text = (maxLength: number) => Type.Optional(needed(maxLength));
const onePassword = { anyOf: [{ required: ['password'] }, { required: ['passwordHash'] }] };
const passwordHash = Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$' }));

export const profileChangeSchema = closedObject({
  displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 64, format: shownTextFormat })),
  locale: Type.Optional(languageTagSchema),
  marketingPreferenceOptIn: Type.Optional(Type.Boolean()),
});

export const passwordChangeSchema = Type.Object(
  {
    password: text(1024),
    passwordHash,
    currentPassword: text(1024),
    currentPasswordHash: passwordHash,
  },
  onePassword,
);

export const addressSchema = Type.Object({ emailAddress: needed(512) });

/** Selects the password to set. The default is the player's or, if there is none, the administrator's. */
export const resetRequestSchema = Type.Object({ emailAddress: needed(512), requestedRole: text(200) });

const mailToken = { token: needed(200), password: text(1024), passwordHash };

/** A token from a mail, and the password if the token requires one. */
export const mailTokenSchema = Type.Object(mailToken);
/** The same, with the new password. */
export const passwordResetSchema = Type.Object(mailToken, onePassword);

/** Without it, an account with an address gets the code by mail. */
export const mailedCodeSchema = Type.Object({ twoFactorCode: text(200) });

export const codeSchema = Type.Object({ twoFactorCode: needed(200) });

export const switchSchema = Type.Object({ projectId: needed(200) });

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
