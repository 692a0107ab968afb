import { endSessions } from '../sign-in/sessions/sessions.ts';
import type { InRealm } from '../store/in-realm.ts';
import { releaseAddress } from './accounts.ts';

/**
 * Takes a proven address from an account that has not proved it. That account loses every sign-in method that a stranger
 * could have prepared, and its sessions.
 */
export async function releaseUnprovenAddress(people: InRealm, folded: string, nowMs: number): Promise<void> {
  const accountId = await releaseAddress(people, folded);
  if (accountId === null) return;
  await endSessions(people, { accountId, sessionId: null, reason: 'addressProven', nowMs });
}
