import {
  type Accounts,
  countInvitation,
  invitationMails,
  type MailQueue,
  securityMails,
} from '@tickrate/accounts';
import type { Component } from '@tickrate/platform';
import type { Listening } from '@tickrate/postgres';
import type { WriteMail } from './mail-texts.ts';
import type { Mail } from './mailer.ts';

export interface DueMailDeps {
  readonly accounts: Accounts;
  readonly send: (mail: Mail) => Promise<void>;
  readonly write: WriteMail;
  readonly onFault: (error: unknown) => void;
}

/**
 * Sends new mails at once, and those that are due again within half a minute, one round at a time. A stop waits for the
 * round in progress.
 */
interface DueMails extends Required<Pick<Component, 'start' | 'stop'>> {
  /** Sends the mails that are due. Reports a mail that the mail server rejects to `onFault`; it is due again later. */
  deliver(): Promise<void>;
}

/** Sends the invitations that the management API stores in the database. Any number of processes may run it. */
export function createInvitationMails({
  accounts,
  send,
  write,
  onFault,
  consoleUrl,
}: DueMailDeps & { readonly consoleUrl: string }): DueMails {
  const page = `${consoleUrl.replace(/\/$/, '')}/sign-in`;
  return createDelivery(invitationMails(accounts), { accounts, onFault }, async (mail) => {
    if (!(await countInvitation(accounts, mail))) return false;
    const { projectId: realm, to, role, projectName: project, expires, inviter, locale } = mail;
    const until = expires.toISOString().slice(0, 10);
    const [invited, name, as] = [to, project, role].map(encodeURIComponent);
    const link = `${page}?invited=${invited}&project=${name}&role=${as}`;
    const fields = { project, role, until, link, inviter: inviter ?? 'Tickrate' };
    await send({ realm, accountId: null, to, ...write('invitation', locale, fields) });
    return true;
  });
}

/**
 * Sends the security mails of accounts, whether auth or the management API changed them. Any number of processes may
 * run it.
 */
export function createSecurityMails({ accounts, send, write, onFault }: DueMailDeps): DueMails {
  return createDelivery(
    securityMails(accounts),
    { accounts, onFault },
    async ({ realm, accountId, to, locale, kind }) => {
      await send({ realm, accountId, to, ...write(kind, locale, {}) });
      return true;
    },
  );
}

const everyMs = 40_000;

/**
 * Sends the mails of a queue, one after the other. It claims each mail only when the one before it is sent, so that no
 * claimed mail waits for a slow mail server. A mail is sent once, unless this process ends between the answer of the
 * mail server and the answer of the store. `sendOne` returns false when a mail may not be sent yet.
 */
function createDelivery<Due>(
  queue: MailQueue<Due>,
  { accounts: { db }, onFault }: Pick<DueMailDeps, 'accounts' | 'onFault'>,
  sendOne: (mail: Due) => Promise<boolean>,
): DueMails {
  async function deliverOne(mail: Due): Promise<void> {
    const isSent = await sendOne(mail).catch((error: unknown) => {
      onFault(error);
      return false;
    });
    await (isSent ? queue.settle(mail) : queue.putOff(mail));
  }

  async function deliver(): Promise<void> {
    for (let mail = await queue.claim(); mail !== null; mail = await queue.claim()) await deliverOne(mail);
  }

  let timer: NodeJS.Timeout | undefined;
  let listening: Listening | undefined;
  let running: Promise<void> | null = null;
  let isWoken = false;

  async function deliverAll(): Promise<void> {
    while (isWoken) {
      isWoken = false;
      await deliver().catch(onFault);
    }
    running = null;
  }

  /** A mail that comes during a round causes another one. */
  function wake(): void {
    isWoken = true;
    running ??= deliverAll();
  }

  return {
    deliver,
    async start() {
      timer = setInterval(wake, everyMs);
      listening = db.listen('tickrate_mails', wake);
    },
    async stop() {
      clearInterval(timer);
      await listening?.stop();
      await running;
    },
  };
}
