import { ensureInstallationOwner, readAddress } from '@tickrate/accounts';
import { createNamedId } from '@tickrate/contract';
import type { AuthEvents } from './auth-events.ts';
import type { PasswordHasher } from './passwords/password-hasher.ts';
import { readPassword } from './sign-in/request/credentials.ts';
import type { Ground } from './sign-in/sign-in.ts';

interface OwnerValues {
  readonly adminEmail: string | null;
  readonly adminPassword: string | null;
}

interface OwnerParts {
  readonly ground: Ground;
  readonly hasher: PasswordHasher;
  readonly events: AuthEvents;
}

/** Creates the administrator that the configuration names, unless this address has one. */
export function createInstallationOwner({ adminEmail, adminPassword }: OwnerValues, parts: OwnerParts) {
  const { ground, hasher, events } = parts;
  return async (): Promise<void> => {
    const derived = readPassword({ password: adminPassword ?? undefined });
    if (adminEmail === null || derived === null) return;
    const email = readAddress(adminEmail);
    const passwordHash = await hasher.hash(derived);
    const id = createNamedId('u', ground.randomBytes);
    const made = await ensureInstallationOwner(ground.db, {
      ...email,
      id,
      passwordHash,
      nowMs: ground.now(),
    });
    if (made) events.ownerMade(email.address);
  };
}
