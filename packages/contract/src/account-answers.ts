import Type, { type TSchema } from 'typebox';

/* The answers of the session and account endpoints. */

const closed = { additionalProperties: false } as const;
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const seconds = Type.Integer({ minimum: 0, description: 'UNIX seconds' });

export const sessionListSchema = Type.Object(
  {
    sessions: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          projectId: Type.String(),
          role: Type.String(),
          amr: Type.Array(Type.String()),
          start: seconds,
          expiry: seconds,
          current: Type.Boolean(),
        },
        closed,
      ),
    ),
  },
  closed,
);

export const accountSchema = Type.Object(
  {
    id: Type.String(),
    emailAddress: orNull(Type.String()),
    emailVerified: Type.Boolean(),
    hasPassword: Type.Boolean(),
    hasTwoFactor: Type.Boolean(),
    profile: Type.Object(
      {
        displayName: orNull(Type.String()),
        avatarUrl: orNull(Type.String()),
        locale: orNull(Type.String()),
      },
      closed,
    ),
    marketingPreferenceOptIn: orNull(Type.Boolean()),
    created: seconds,
  },
  closed,
);

export const identityListSchema = Type.Object(
  {
    identities: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          provider: Type.String(),
          displayName: orNull(Type.String()),
          linked: seconds,
        },
        closed,
      ),
    ),
  },
  closed,
);

export const twoFactorBegunSchema = Type.Object(
  { secret: Type.String(), otpauthUri: Type.String(), qrSvg: Type.String() },
  closed,
);

/** The flags of a sign-in that mails the code, or the authenticator to set up. */
export const twoFactorSetupSchema = Type.Object(
  {
    promptForEmailVerification: Type.Boolean({
      description: 'Send the call again with the code that was mailed to the address of the account',
    }),
    promptForTwoFactorCode: Type.Boolean({ description: 'The code is sent as `twoFactorCode`' }),
    secret: orNull(Type.String()),
    otpauthUri: orNull(Type.String()),
    qrSvg: orNull(Type.String()),
  },
  closed,
);

export const recoveryCodesSchema = Type.Object(
  { recoveryCodes: Type.Array(Type.String(), { description: 'Shown only once' }) },
  closed,
);

export const accountExportSchema = Type.Object(
  {
    account: Type.Object({}, { additionalProperties: true }),
    events: Type.Array(Type.Object({}, { additionalProperties: true })),
    quarantined: Type.Array(Type.Object({}, { additionalProperties: true })),
    complete: Type.Literal(true, { description: 'Nothing is missing' }),
  },
  { additionalProperties: true },
);

export const accountErasedSchema = Type.Object(
  {
    removed: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
    erasures: Type.Array(Type.Object({ id: Type.String(), projectId: Type.String() }, closed)),
  },
  closed,
);

export const erasureSchema = Type.Object(
  {
    id: Type.String(),
    state: Type.String({ description: '`done` when the erasure is complete' }),
    certificate: orNull(Type.Object({}, { additionalProperties: true })),
  },
  closed,
);
