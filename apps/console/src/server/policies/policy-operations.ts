import { closedObject, operationsOf, policySchemas } from '@tickrate/contract';
import Type from 'typebox';
import { editVersion } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer } from '../calls/pages.ts';

export const policyNames = Object.keys(policySchemas) as (keyof typeof policySchemas)[];

const name = Type.Enum(policyNames);
const value = Type.Object({}, { additionalProperties: true });

export const policySchema = closedObject(
  {
    name,
    value: Type.Unsafe<Record<string, unknown> | null>({
      anyOf: [...Object.values(policySchemas), Type.Null()],
    }),
    version: editVersion,
  },
  { description: 'The value is null if the policy is not set; the defaults then apply' },
);

const params = closedObject({ name });
const unset = { name: 'quotas', value: null, version: 'dDQR4zqXr1aF0g2S' };
const set = { name: 'quotas', value: { eventsPerDay: 1_000_000 }, version: 'hJ2k4zqXr1aF0g2S' };

export const policyOperations = operationsOf({ tag: 'Policies', keys: managers })({
  getPolicy: {
    method: 'GET',
    path: '/v1/policies/{name}',
    summary: 'Get a policy of the project',
    scope: 'policies:read',
    params,
    answer: policySchema,
    examples: [{ name: 'a policy that is not set', params: { name: 'quotas' }, answer: unset }],
  },
  setPolicy: {
    method: 'PUT',
    path: '/v1/policies/{name}',
    summary: 'Set rates, quotas, retention, sign-in, providers or roles of the project',
    description:
      'Replaces the value, whose shape is `Policy_<name>` among the schemas. It takes effect on every process within a second.',
    scope: 'policies:write',
    params,
    body: closedObject({ version: editVersion, value }),
    bodyBytes: 256 * 1024,
    answer: policySchema,
    refusals: ['notPermitted', 'objectChanged', 'objectNotFound'],
    examples: [
      {
        name: 'a quota',
        params: { name: 'quotas' },
        body: { version: unset.version, value: set.value },
        answer: set,
      },
    ],
  },
  listPolicies: {
    method: 'GET',
    path: '/v1/policies',
    summary: 'List the policies of the project',
    scope: 'policies:read',
    answer: closedObject(
      { ...pageAnswer(policySchema).properties, next: Type.Null() },
      { description: 'All policies: the list has one page' },
    ),
    examples: [
      {
        name: 'all',
        answer: {
          results: policyNames.map((each) => (each === 'quotas' ? set : { ...unset, name: each })),
          next: null,
        },
      },
    ],
  },
});
