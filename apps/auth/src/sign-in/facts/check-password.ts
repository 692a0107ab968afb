import type { CheckedPassword } from '@tickrate/accounts';
import { readDeviceIdentifier } from '../request/device-identifier.ts';
import type { AuthContext, SignIn } from '../sign-in.ts';

export type PasswordFact = { readonly kind: 'absent' } | CheckedPassword;

/** Checks the address and the password of the request, if the project signs players in with passwords. */
export function createCheckPassword({ accounts }: AuthContext) {
  return async ({ credentials, settings, realm, request }: SignIn): Promise<PasswordFact> => {
    const { email, derived } = credentials;
    if (email === null || derived === null || !settings.policies.passwordSignIn) return { kind: 'absent' };
    const device = readDeviceIdentifier(request);
    return accounts.passwords.check({ realm, folded: email.folded, device, derived });
  };
}
