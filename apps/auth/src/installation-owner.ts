import { type Accounts, readAddress } from '@tickrate/accounts';
import type { AuthEvents } from './auth-events.ts';
import type { PasswordHasher } from './passwords/password-hasher.ts';
import { readPassword } from './sign-in/request/credentials.ts';

interface OwnerValues {
  readonly adminEmail: string | null;
  readonly adminPassword: string | null;
}

interface OwnerParts {
  readonly accounts: Pick<Accounts, 'ensureInstallationOwner'>;
  readonly hasher: PasswordHasher;
  readonly events: AuthEvents;
}

/** Creates the administrator that the configuration names, unless this address has one. */
export function createInstallationOwner({ adminEmail, adminPassword }: OwnerValues, parts: OwnerParts) {
  const { accounts, hasher, events } = parts;
  return async (): Promise<void> => {
    const derived = readPassword({ password: adminPassword ?? undefined });
    if (adminEmail === null || derived === null) return;
    const email = readAddress(adminEmail);
    const passwordHash = await hasher.hash(derived);
    const made = await accounts.ensureInstallationOwner(email, passwordHash);
    if (made) events.ownerMade(email.address);
  };
}
