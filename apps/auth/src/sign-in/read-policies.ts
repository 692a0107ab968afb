import type { Policies } from '../exchange/facts.ts';

/** The policy `sessions` of a project. What is left out or not understood is as by default. */
export function readPolicies(value: object | undefined): Policies {
  const given: Readonly<Record<string, unknown>> = { ...value };
  const registration: Readonly<Record<string, unknown>> = { ...asObject(given['registration']) };
  return {
    registration: {
      tokens: oneOf(registration['tokens'], ['auto', 'ask', 'closed'] as const),
      email: oneOf(registration['email'], ['ask', 'closed'] as const),
    },
    linking: oneOf(given['linking'], ['ask', 'auto', 'never'] as const),
    passwordSignIn: given['passwordSignIn'] !== false,
    terms: readTerms(given['terms']),
    askMarketing: given['askMarketing'] === true,
    requireVerifiedEmail: given['requireVerifiedEmail'] === true,
    requireSecondFactor: given['requireSecondFactor'] === true,
  };
}

export interface AdministratorSettings {
  readonly adminSignup: 'first' | 'open' | 'closed';
  readonly adminSecondFactor: 'optional' | 'required';
}

/** Administrators sign in with address and password, whatever a project asks of its players. */
export function administratorPolicies({ adminSignup, adminSecondFactor }: AdministratorSettings): Policies {
  return {
    registration: { tokens: 'closed', email: adminSignup === 'closed' ? 'closed' : 'ask' },
    linking: 'never',
    passwordSignIn: true,
    terms: {},
    askMarketing: false,
    requireVerifiedEmail: false,
    requireSecondFactor: adminSecondFactor === 'required',
  };
}

function oneOf<const T extends string>(value: unknown, values: readonly [T, ...T[]]): T {
  return values.find((each) => each === value) ?? values[0];
}

function readTerms(value: unknown): Record<string, string> {
  const entries = Object.entries(asObject(value) ?? {});
  return Object.fromEntries(
    entries.flatMap(([id, version]) => (typeof version === 'string' ? [[id, version]] : [])),
  );
}

function asObject(value: unknown): object | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}
