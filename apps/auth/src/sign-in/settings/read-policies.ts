import type { Policies } from '../../exchange/facts.ts';

export interface AdministratorSettings {
  readonly adminSignup: 'first' | 'open' | 'closed';
  readonly adminSecondFactor: 'optional' | 'required';
}

/** Administrators sign in with address and password, whatever a project requires of its players. */
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
