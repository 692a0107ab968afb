import { findMembersIn, limitRights } from '@tickrate/accounts';
import {
  hideProviderSecrets,
  keepProviderSecrets,
  openProviderSecrets,
  parameterInvalid,
  providerAddresses,
  readProviderSettings,
  readRoles,
  systemError,
} from '@tickrate/contract';
import { createIsPublicAddress, type OutboundRules, outboundRefusal } from '@tickrate/platform';
import { policyVersion, type Registry } from '@tickrate/registry';
import type { ConsoleParts } from '../../parts.ts';
import { type Caller, requireAll, requireLasting } from '../calls/caller.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { policyOperations as operations, policyNames } from './policy-operations.ts';

type Name = (typeof policyNames)[number];

export function createPolicyRoutes({ registry, accounts, development }: ConsoleParts): ManagedRoute[] {
  const rules = { development, isPublic: createIsPublicAddress() };
  const show = (policies: ReadonlyMap<string, object>, name: Name) => {
    const value = policies.get(name) ?? null;
    const shown = value && (name === 'providers' ? hideProviderSecrets({ ...value }) : value);
    return { name, value: shown && { ...shown }, version: policyVersion(value) };
  };
  return [
    managed(operations.getPolicy, async ({ caller, params }) =>
      show(await registry.policies(caller.projectId), params.name),
    ),
    managed(operations.setPolicy, async ({ caller, params: { name }, body }) => {
      const { projectId } = caller;
      const value =
        name === 'providers' ? await meantProviders(registry, projectId, { ...body.value }) : body.value;
      // The registry checks the rest of the value.
      if (name === 'providers') checkAddresses(value, rules);
      const changed =
        name === 'roles' ? requireRoles(caller, await registry.policies(projectId), body) : new Set<string>();
      await accounts.transaction(async (tx) => {
        const inside = registry.inTransaction(tx);
        await inside.editPolicy({ projectId, name, value, version: body.version });
        for (const accountId of await findMembersIn(tx, projectId, [...changed]))
          await limitRights(tx, inside, { projectId, accountId });
      });
      return show(await registry.policies(caller.projectId), name);
    }),
    managed(operations.listPolicies, async ({ caller }) => {
      const policies = await registry.policies(caller.projectId);
      return { results: policyNames.map((name) => show(policies, name)), next: null };
    }),
  ];
}

/** With the stored secrets that were not sent again. */
async function meantProviders(
  registry: Registry,
  projectId: string,
  sent: Readonly<Record<string, unknown>>,
): Promise<object> {
  const stored = (await registry.policies(projectId)).get('providers') ?? null;
  return keepProviderSecrets(sent, stored && { ...stored });
}

/** Sign-in would refuse to call such an address at every attempt. */
function checkAddresses(value: object, rules: OutboundRules): void {
  const readable = openProviderSecrets({ ...value }, () => 'sealed');
  const { settings } = readProviderSettings(readable, { testMode: true });
  for (const { place, address } of providerAddresses(settings)) {
    const reason = URL.canParse(address)
      ? outboundRefusal(new URL(address), rules)
      : 'is not an https address, which is required without jwksUri';
    if (reason !== null) throw parameterInvalid(`value.${place}`, reason);
  }
}

/**
 * A role grants its scopes: a caller cannot create, change or delete a role with more rights than its own. Returns the
 * names of the roles that change.
 */
function requireRoles(
  caller: Caller,
  policies: ReadonlyMap<string, object>,
  { version, value }: { readonly version: string; readonly value: object },
): Set<string> {
  requireLasting(caller);
  if (policyVersion(policies.get('roles') ?? null) !== version) throw systemError('objectChanged');
  const before = readRoles(policies);
  const after = readRoles(new Map([['roles', value]]));
  const scopesOf = (roles: typeof before, role: string) => roles.get(role) ?? [];
  const changed = new Set(
    [...before.keys(), ...after.keys()].filter(
      (role) => scopesOf(before, role).join() !== scopesOf(after, role).join(),
    ),
  );
  for (const role of changed) requireAll(caller, [...scopesOf(before, role), ...scopesOf(after, role)]);
  return changed;
}
