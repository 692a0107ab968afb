import Type from 'typebox';

const closed = { additionalProperties: false } as const;

/** The policy `sessions` of a project: how players sign in. Absent members have the default, which is listed first. */
export const sessionsPolicySchema = Type.Object(
  {
    registration: Type.Optional(
      Type.Object(
        {
          tokens: Type.Optional(Type.Enum(['auto', 'ask', 'closed'])),
          email: Type.Optional(Type.Enum(['ask', 'closed'])),
        },
        closed,
      ),
    ),
    linking: Type.Optional(Type.Enum(['ask', 'auto', 'never'])),
    passwordSignIn: Type.Optional(Type.Boolean({ default: true })),
    terms: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.String({ maxLength: 100 }), {
        description: 'The version of each text that players must accept, by its id',
      }),
    ),
    askMarketing: Type.Optional(Type.Boolean({ default: false })),
    requireVerifiedEmail: Type.Optional(Type.Boolean({ default: false })),
    requireSecondFactor: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Players who sign in with a password must set up a second factor',
      }),
    ),
  },
  { ...closed, description: 'How players sign in' },
);
