import Type, { type Static } from 'typebox';
import { createSchemaCheck, type SchemaFault } from '../json/schema-check.ts';
import { closedObject } from '../json/schema-shapes.ts';

const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }));

/** The policy `sessions` of a project: how players sign in. */
export const sessionsPolicySchema = closedObject(
  {
    registration: Type.Optional(
      closedObject(
        {
          tokens: Type.Optional(Type.Enum(['auto', 'ask', 'closed'], { default: 'auto' })),
          email: Type.Optional(Type.Enum(['ask', 'closed'], { default: 'ask' })),
        },
        { default: {} },
      ),
    ),
    linking: Type.Optional(Type.Enum(['ask', 'auto', 'never'], { default: 'ask' })),
    passwordSignIn: Type.Optional(Type.Boolean({ default: true })),
    terms: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.String({ maxLength: 100 }), {
        default: {},
        description: 'The version of each text that players must accept, by its id',
      }),
    ),
    requireVerifiedEmail: flag('Whether an address must be verified before sign-in'),
    requireSecondFactor: flag('Players who sign in with a password must set up a second factor'),
    askMarketing: flag('Whether to ask for the marketing preference'),
  },
  { description: 'How players sign in' },
);

type Given = Required<Static<typeof sessionsPolicySchema>>;
/** Every member, with the defaults. */
export type SessionsPolicy = Omit<Given, 'registration'> & {
  readonly registration: Required<Given['registration']>;
};

export type ReadSessionsPolicy =
  | { readonly policy: SessionsPolicy }
  /** It was not written by this version. Nothing is guessed: a default could drop a required second factor. */
  | { readonly fault: SchemaFault };

const check = createSchemaCheck(sessionsPolicySchema, 'body');

/** The stored policy, or undefined for a project that has none. */
export function readSessionsPolicy(value: object | undefined): ReadSessionsPolicy {
  const policy: unknown = structuredClone(value ?? {});
  const fault = check.fault(policy);
  return fault === null ? { policy: policy as SessionsPolicy } : { fault };
}
