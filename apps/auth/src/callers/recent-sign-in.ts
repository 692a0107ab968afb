import type { SessionRow } from '@tickrate/accounts';

const recentMs = 15 * 60_000;

/** A change of the sign-in methods requires credentials that were proven recently. */
export function isRecent({ proven }: Pick<SessionRow, 'proven'>, nowMs: number): boolean {
  return nowMs - proven.getTime() <= recentMs;
}
