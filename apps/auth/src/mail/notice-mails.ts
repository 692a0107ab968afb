import { claimNotices, type Notice, settleNotice } from '@tickrate/accounts';
import type { Ground } from '../sign-in/sign-in.ts';
import type { DueMailDeps, DueMails } from './invitation-mails.ts';
import { createMailRounds } from './mail-rounds.ts';

const atOnce = 20;

/** Tells accounts by mail of what was done to them through the management API. Any number of processes may. */
export function createNoticeMails(
  { db, now }: Pick<Ground, 'db' | 'now'>,
  { send, write, onFault }: DueMailDeps,
): DueMails {
  async function deliverOne({ id, realm, to, locale, kind }: Notice): Promise<void> {
    await send({ realm, to, ...write(kind, locale, {}) });
    await settleNotice(db, id);
  }

  async function deliver(): Promise<void> {
    const notices = await claimNotices(db, { nowMs: now(), limit: atOnce });
    for (const notice of notices) await deliverOne(notice).catch(onFault);
  }

  return { deliver, ...createMailRounds(deliver, onFault) };
}
