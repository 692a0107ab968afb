import type { SessionRow } from '@tickrate/accounts';

const recentMs = 15 * 60_000;

/** What changes the ways into an account wants credentials that were proven a short while ago. */
export function isRecent({ proven }: Pick<SessionRow, 'proven'>, nowMs: number): boolean {
  return nowMs - proven.getTime() <= recentMs;
}
