import { type InRealm, leaveNotice, type NoticeKind } from '@tickrate/accounts';
import type { Ground } from '../sign-in/sign-in.ts';

export interface Told {
  readonly accountId: string;
  readonly kind: NoticeKind;
  /** Where to send the mail, instead of the account's address. */
  readonly to?: string | null;
}

/**
 * Stores the mail in the transaction of the change, so that it is sent exactly if the change is committed, even if this
 * process ends.
 */
export function tellAccount(
  { newId, now }: Pick<Ground, 'newId' | 'now'>,
  people: InRealm,
  told: Told,
): Promise<void> {
  return leaveNotice(people, { ...told, id: newId(), nowMs: now() });
}
