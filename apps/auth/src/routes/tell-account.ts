import { type InRealm, leaveNotice, type NoticeKind } from '@tickrate/accounts';
import type { Ground } from '../sign-in/sign-in.ts';

export interface Told {
  readonly accountId: string;
  readonly kind: NoticeKind;
  /** Where the mail goes in place of the account's address. */
  readonly to?: string | null;
}

/** In the transaction that does it, so that the mail is left exactly when it was done, and goes out though this process ends. */
export function tellAccount(
  { newId, now }: Pick<Ground, 'newId' | 'now'>,
  people: InRealm,
  told: Told,
): Promise<void> {
  return leaveNotice(people, { ...told, id: newId(), nowMs: now() });
}
