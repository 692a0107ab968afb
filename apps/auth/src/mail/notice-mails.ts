import { claimNotice, putOffNotice, settleNotice } from '@tickrate/accounts';
import type { Ground } from '../sign-in/sign-in.ts';
import { createDelivery } from './delivery.ts';
import type { DueMailDeps, DueMails } from './invitation-mails.ts';
import { createMailRounds } from './mail-rounds.ts';

/**
 * Sends the security mails of accounts, whether auth or the management API changed them. Any number of processes may
 * run it.
 */
export function createNoticeMails(
  { db, now }: Pick<Ground, 'db' | 'now'>,
  { send, write, onFault }: DueMailDeps,
): DueMails {
  const deliver = createDelivery({
    onFault,
    claim: () => claimNotice(db, now()),
    async sendOne({ realm, to, locale, kind }) {
      await send({ realm, to, ...write(kind, locale, {}) });
      return true;
    },
    settle: (notice) => settleNotice(db, notice),
    putOff: (notice) => putOffNotice(db, notice, now()),
  });
  return { deliver, ...createMailRounds(deliver, onFault) };
}
