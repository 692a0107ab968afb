import { randomBytes } from 'node:crypto';
import { makeSignInLink, type SignInLink } from '@tickrate/accounts';
import { createPostgres } from '@tickrate/postgres';

/**
 * A link for the person who starts the product. Null if it cannot be created: the password in the folder still works.
 */
export async function makeFirstSignIn(
  postgresUrl: string,
  { consoleUrl, now }: { readonly consoleUrl: string; readonly now: () => number },
): Promise<SignInLink | null> {
  const accounts = createPostgres({ postgresUrl, maxConnections: 1, onFault: () => undefined });
  try {
    return await makeSignInLink(accounts, { folded: null, consoleUrl, now, randomBytes });
  } catch {
    return null;
  } finally {
    await accounts.close();
  }
}
