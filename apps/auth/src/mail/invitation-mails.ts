import type { Accounts, InvitationMail } from '@tickrate/accounts';
import { createDelivery, type DueMailDeps, type DueMails } from './delivery.ts';

/** Sends the invitations that the management API stores in the database. Any number of processes may run it. */
export function createInvitationMails(
  { mails: { invitations, countInvitation } }: Pick<Accounts, 'mails'>,
  { send, write, onFault }: DueMailDeps,
): DueMails {
  async function sendOne(mail: InvitationMail): Promise<boolean> {
    if (!(await countInvitation(mail))) return false;
    const { projectId: realm, to, role, projectName: project, expires } = mail;
    const until = expires.toISOString().slice(0, 10);
    await send({ realm, to, ...write('invitation', null, { project, role, until }) });
    return true;
  }
  return createDelivery({ queue: invitations, sendOne, onFault });
}
