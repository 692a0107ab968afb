import Type, { type Static, type TSchema } from 'typebox';
import { createSchemaCheck, type SchemaCheck, type SchemaFault } from '../json/schema-check.ts';
import { closedObject } from '../json/schema-shapes.ts';
import { providersPolicySchema } from '../providers/providers-policy.ts';
import { retentionPolicySchema } from './retention-policy.ts';
import { rolesPolicySchema } from './roles-policy.ts';
import { sessionsPolicySchema } from './sessions-policy.ts';

/*
 * Settings of one project that override the defaults, each under a name. A member that is null or absent is not set,
 * unless its description says otherwise.
 */

const perSecond = (description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 10_000_000 }), Type.Null()], { description }),
  );

/** Requests per second over all gateways. */
export const ratesPolicySchema = closedObject({
  perProject: perSecond('Limit of the whole project; 0 means no limit'),
  perKey: perSecond('Limit of one key; 0 means no limit'),
  perAddress: perSecond('Limit of one client address, with public or session keys; 0 means no limit'),
});
export type RatesPolicy = Static<typeof ratesPolicySchema>;

const events = (description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
      description,
    }),
  );

/** Accepted events, counted by days and months in UTC. */
export const quotasPolicySchema = closedObject({
  eventsPerDay: events('Events per day; 0 rejects every event'),
  eventsPerMonth: events('Events per calendar month; 0 rejects every event'),
});
export type QuotasPolicy = Static<typeof quotasPolicySchema>;

/** Decides what happens to the events of an account that deletes itself. */
const erasurePolicySchema = closedObject({
  mode: Type.Optional(
    Type.Union([Type.Literal('remove'), Type.Literal('mask'), Type.Null()], {
      default: 'remove',
      description:
        'Whether to delete them, or to keep them for counting without personal data; the default is to delete them',
    }),
  ),
});

const erasureCheck = createSchemaCheck(erasurePolicySchema);

/** Erases everything if the policy cannot be read: that keeps no personal data by mistake. */
export function readErasureMode(policy: object | undefined): 'remove' | 'mask' {
  return (erasureCheck.accepts(policy) ? policy.mode : null) ?? 'remove';
}

export const policySchemas = {
  rates: ratesPolicySchema,
  quotas: quotasPolicySchema,
  retention: retentionPolicySchema,
  erasure: erasurePolicySchema,
  sessions: sessionsPolicySchema,
  providers: providersPolicySchema,
  roles: rolesPolicySchema,
} as const;

export type PolicyName = keyof typeof policySchemas;

export function isPolicyName(name: string): name is PolicyName {
  return Object.hasOwn(policySchemas, name);
}

const checks = new Map<string, SchemaCheck<TSchema>>(
  Object.entries(policySchemas).map(([name, schema]) => [name, createSchemaCheck(schema)]),
);

/**
 * The first fault in the value of a policy; null if it has none. `readProviderSettings` defines the complete meaning of
 * `providers`.
 */
export function policyFault(name: PolicyName, value: unknown): SchemaFault | null {
  return checks.get(name)?.fault(value) ?? null;
}
