import Type from 'typebox';

const closed = { additionalProperties: false } as const;

/** The policy `sessions` of a project: how players come in. What is left out is as by default, which is told first. */
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
        description: 'The version of each text that players have to accept, by its id',
      }),
    ),
    askMarketing: Type.Optional(Type.Boolean({ default: false })),
    requireVerifiedEmail: Type.Optional(Type.Boolean({ default: false })),
    requireSecondFactor: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Who signs in with a password sets up a second factor on the way',
      }),
    ),
  },
  { ...closed, description: 'How players come in' },
);
