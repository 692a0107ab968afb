import type { BuiltInRole, PolicyName, Resource } from '@tickrate/contract';

type Names = Readonly<Record<string, string>>;

/** A way to sign in, as `amr` of a session and `provider` of an identity name it. A connection has the name of its id. */
export const methodIn = (names: Names) => (method: string) =>
  named(names, method) ?? method.replace(/^openid:/, '');

/** A role that the project made has its own name. */
export const roleIn = (names: Readonly<Record<BuiltInRole, string>>) => (role: string) => {
  const bare = role.replace(/^builtin:/, '');
  return named(names, bare) ?? bare;
};

export const areaIn = (names: Readonly<Record<Resource | 'all' | 'personal', string>>) => (area: string) =>
  named(names, area) ?? area;

export const policyIn = (names: Readonly<Record<PolicyName, string>>) => (policy: string) =>
  named(names, policy) ?? policy;

export const statusIn =
  (names: Readonly<Record<'available' | 'deprecated' | 'retired', string>>) => (status: string) =>
    named(names, status) ?? status;

function named(names: Names, value: string): string | undefined {
  return Object.hasOwn(names, value) ? names[value] : undefined;
}
