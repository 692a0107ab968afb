import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { retentionPolicySchema } from './retention-policy.ts';

/*
 * What is set for one project in place of the defaults, under a name each. A member that is null or left out is not set,
 * unless it says otherwise.
 * Names that are not listed here belong to whoever reads them.
 */

const perSecond = (description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 10_000_000 }), Type.Null()], { description }),
  );

/** Requests a second, over all gateways. */
export const ratesPolicySchema = Type.Object(
  {
    perAddress: perSecond('Of one client address, with public or session keys; 0 is no limit'),
    perKey: perSecond('Of one key; 0 is no limit'),
    perProject: perSecond('Of the whole project; 0 is no limit'),
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

/** Accepted events, counted in UTC. */
export const quotasPolicySchema = Type.Object(
  {
    eventsPerDay: events('Events from midnight to midnight; 0 takes none'),
    eventsPerMonth: events('Events of a calendar month; 0 takes none'),
  },
  { additionalProperties: false },
);
export type QuotasPolicy = Static<typeof quotasPolicySchema>;

/** What becomes of the events of an account that deletes itself. */
const erasurePolicySchema = Type.Object(
  {
    mode: Type.Optional(
      Type.Union([Type.Literal('remove'), Type.Literal('mask'), Type.Null()], {
        description: 'Removed, or kept for counting without anything personal; removed when not set',
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

/** The first thing that is wrong with a policy's value, in words; null when nothing is. */
export function policyFault(name: PolicyName, value: unknown): string | null {
  const schema = policySchemas[name];
  if (Value.Check(schema, value)) return null;
  const [fault] = Value.Errors(schema, value);
  return fault === undefined ? 'is not valid' : `${fault.instancePath} ${fault.message}`.trim();
}
