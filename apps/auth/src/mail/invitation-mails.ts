import {
  type Allowance,
  claimInvitationMail,
  type InvitationMail,
  putOffInvitationMail,
  settleInvitationMail,
  takeFrom,
} from '@tickrate/accounts';
import type { Ground } from '../sign-in/sign-in.ts';
import { createDelivery } from './delivery.ts';
import { createMailRounds, type MailRounds } from './mail-rounds.ts';
import type { WriteMail } from './mail-texts.ts';
import type { Mail } from './mailer.ts';

export interface DueMailDeps {
  readonly send: (mail: Mail) => Promise<void>;
  readonly write: WriteMail;
  readonly onFault: (error: unknown) => void;
}

export interface DueMails extends MailRounds {
  /** Sends the mails that are due. Reports a mail that the mail server rejects to `onFault`; it is due again later. */
  deliver(): Promise<void>;
}

/** For all projects together, so that invitations cannot fill a mailbox. Counted apart from the mails of sign-in. */
const perAddress: Allowance = { burst: 5, perSecond: 5 / 3_600 };

/** Sends the invitations that the management API stores in the database. Any number of processes may run it. */
export function createInvitationMails(
  { db, keyring, now }: Pick<Ground, 'db' | 'keyring' | 'now'>,
  { send, write, onFault }: DueMailDeps,
): DueMails {
  async function sendOne(mail: InvitationMail): Promise<boolean> {
    const asked = [{ bucket: keyring.mac('invitation mails', mail.folded), allowance: perAddress }];
    if ((await takeFrom(db, asked, { nowMs: now(), count: 1 })) !== null) return false;
    const { projectId: realm, to, role, projectName: project, expires } = mail;
    const until = expires.toISOString().slice(0, 10);
    await send({ realm, to, ...write('invitation', null, { project, role, until }) });
    return true;
  }

  const deliver = createDelivery<InvitationMail>({
    sendOne,
    onFault,
    claim: () => claimInvitationMail(db, now()),
    settle: (mail) => settleInvitationMail(db, mail, now()),
    putOff: (mail) => putOffInvitationMail(db, mail, now()),
  });

  return { deliver, ...createMailRounds(deliver, onFault) };
}
