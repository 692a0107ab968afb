import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { retentionPolicySchema } from './retention-policy.ts';

/*
 * Settings of one project that override the defaults, each under a name. A member that is null or absent is not set,
 * unless its description says otherwise.
 * The code that reads a name not listed here owns that name.
 */

const perSecond = (description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 10_000_000 }), Type.Null()], { description }),
  );

/** Requests per second over all gateways. */
export const ratesPolicySchema = Type.Object(
  {
    perAddress: perSecond('Limit of one client address, with public or session keys; 0 means no limit'),
    perKey: perSecond('Limit of one key; 0 means no limit'),
    perProject: perSecond('Limit of the whole project; 0 means no limit'),
  },
  { additionalProperties: false },
);
export type RatesPolicy = Static<typeof ratesPolicySchema>;

const events = (description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
      description,
    }),
  );

/** Accepted events, counted by days and months in UTC. */
export const quotasPolicySchema = Type.Object(
  {
    eventsPerDay: events('Events per day; 0 rejects every event'),
    eventsPerMonth: events('Events per calendar month; 0 rejects every event'),
  },
  { additionalProperties: false },
);
export type QuotasPolicy = Static<typeof quotasPolicySchema>;

/** Decides what happens to the events of an account that deletes itself. */
const erasurePolicySchema = Type.Object(
  {
    mode: Type.Optional(
      Type.Union([Type.Literal('remove'), Type.Literal('mask'), Type.Null()], {
        description:
          'Whether to delete them, or to keep them for counting without personal data; the default is to delete them',
      }),
    ),
  },
  { additionalProperties: false },
);

export const policySchemas = {
  rates: ratesPolicySchema,
  quotas: quotasPolicySchema,
  retention: retentionPolicySchema,
  erasure: erasurePolicySchema,
} as const;

export type PolicyName = keyof typeof policySchemas;

export function isPolicyName(name: string): name is PolicyName {
  return Object.hasOwn(policySchemas, name);
}

/** Describes the first fault in the value of a policy. Returns null if it has none. */
export function policyFault(name: PolicyName, value: unknown): string | null {
  const schema = policySchemas[name];
  if (Value.Check(schema, value)) return null;
  const [fault] = Value.Errors(schema, value);
  return fault === undefined ? 'is not valid' : `${fault.instancePath} ${fault.message}`.trim();
}
