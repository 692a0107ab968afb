import { parameterInvalid } from '@tickrate/contract';
import { policyVersion, type Registry } from '@tickrate/registry';
import { Value } from 'typebox/value';
import { type Caller, requireAll } from './caller.ts';
import { type ManagedRoute, managed } from './managed.ts';
import { getPolicy, listPolicies, policyNames, setPolicy, settablePolicies } from './policy-operations.ts';
import { readRoles } from './roles-policy.ts';

export type PolicyRegistry = Pick<Registry, 'policies' | 'editPolicy'>;

type Name = (typeof policyNames)[number];

export function createPolicyRoutes(registry: PolicyRegistry): ManagedRoute[] {
  const show = (policies: ReadonlyMap<string, object>, name: Name) => {
    const value = policies.get(name) ?? null;
    return { name, value: value && { ...value }, version: policyVersion(value) };
  };
  return [
    managed(getPolicy, async ({ caller, params }) =>
      show(await registry.policies(caller.projectId), params.name),
    ),
    managed(setPolicy, async ({ caller, params: { name }, body }) => {
      checkValue(name, body.value);
      if (name === 'roles') requireRoles(caller, body.value);
      await registry.editPolicy({ projectId: caller.projectId, name, ...body });
      return show(await registry.policies(caller.projectId), name);
    }),
    managed(listPolicies, async ({ caller }) => {
      const policies = await registry.policies(caller.projectId);
      return { results: policyNames.map((name) => show(policies, name)), next: null };
    }),
  ];
}

function checkValue(name: Name, value: object): void {
  const schema = settablePolicies[name];
  if (Value.Check(schema, value)) return;
  const [fault] = Value.Errors(schema, value);
  const within = (fault?.instancePath ?? '').replaceAll('/', '.');
  throw parameterInvalid(`value${within}`, fault?.message ?? 'not valid');
}

/** A role hands on what its scopes say: nobody makes one that may do more than they. */
function requireRoles(caller: Caller, value: object): void {
  for (const scopes of readRoles(new Map([['roles', value]])).values()) requireAll(caller, scopes);
}
