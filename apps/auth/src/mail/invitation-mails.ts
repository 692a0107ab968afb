import {
  type Allowance,
  claimInvitationMails,
  type InvitationMail,
  settleInvitationMail,
  takeFrom,
} from '@tickrate/accounts';
import type { Component } from '@tickrate/platform';
import type { Ground } from '../sign-in/sign-in.ts';
import type { Mail } from './mailer.ts';

export interface InvitationMailDeps {
  readonly send: (mail: Mail) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

export interface InvitationMails extends Required<Pick<Component, 'start' | 'stop'>> {
  /** Sends what is due. What the mail server does not take is told to `onFault` and is due again later. */
  deliver(): Promise<void>;
}

const everyMs = 1_000;
const atOnce = 20;
/** Of all projects together: nobody's mailbox is filled by people who invite. Apart from the mails of sign-in. */
const perAddress: Allowance = { burst: 5, perSecond: 5 / 3_600 };

/** Sends the mails of invitations, which the management API leaves in the database. Any number of processes may. */
export function createInvitationMails(
  { db, keyring, now }: Pick<Ground, 'db' | 'keyring' | 'now'>,
  { send, onFault }: InvitationMailDeps,
): InvitationMails {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  async function deliverOne(mail: InvitationMail): Promise<void> {
    const asked = [{ bucket: keyring.mac('invitation mails', mail.folded), allowance: perAddress }];
    if ((await takeFrom(db, asked, now())) !== null) return;
    await send(mailOf(mail));
    await settleInvitationMail(db, mail.id, now());
  }

  async function deliver(): Promise<void> {
    const mails = await claimInvitationMails(db, { nowMs: now(), limit: atOnce });
    for (const mail of mails) await deliverOne(mail).catch(onFault);
  }

  return {
    deliver,
    async start() {
      timer = setInterval(() => {
        running ??= deliver()
          .catch(onFault)
          .finally(() => {
            running = null;
          });
      }, everyMs);
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

function mailOf({ to, role, projectName, expiresMs }: InvitationMail): Mail {
  // A name is whatever somebody typed: it adds no lines of its own.
  const name = projectName.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  const day = new Date(expiresMs).toISOString().slice(0, 10);
  return {
    to,
    subject: `You are invited to ${name}`,
    text: `Somebody invites you to the project "${name}", as ${role}.\n\nSign in as an administrator with this address, or register with it. The invitation is good until ${day}. If you do not know what this is, do nothing.`,
  };
}
