import type { Accounts } from '@tickrate/accounts';
import { createDelivery, type DueMailDeps, type DueMails } from './delivery.ts';

/**
 * Sends the security mails of accounts, whether auth or the management API changed them. Any number of processes may
 * run it.
 */
export function createSecurityMails(
  { mails: { securityMails } }: Pick<Accounts, 'mails'>,
  { send, write, onFault }: DueMailDeps,
): DueMails {
  return createDelivery({
    queue: securityMails,
    onFault,
    async sendOne({ realm, to, locale, kind }) {
      await send({ realm, to, ...write(kind, locale, {}) });
      return true;
    },
  });
}
