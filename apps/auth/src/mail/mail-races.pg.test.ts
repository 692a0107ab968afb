import { randomUUID } from 'node:crypto';
import { insertInvitation, readAddress } from '@tickrate/accounts';
import { createManualClock, freshPostgres, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthWorld, createAuthWorld } from '../testing/auth-world.ts';
import { createInvitationMails, createSecurityMails } from './due-mails.ts';
import { createWriteMail, readMailTemplates } from './mail-texts.ts';
import type { Mail } from './mailer.ts';

const { url } = await freshPostgres();
const clock = createManualClock();
let world: AuthWorld;

beforeAll(async () => {
  world = await createAuthWorld(url, clock.now);
  const auth = await world.start();
  await auth.stop();
});
afterAll(() => world.close());

const write = createWriteMail(readMailTemplates(null).templates);

async function leaveInvitations(addresses: readonly string[]): Promise<void> {
  const { projectId } = await world.project();
  for (const address of addresses) {
    const to = {
      id: randomUUID(),
      projectId,
      email: readAddress(address),
      role: 'viewer',
      invitedBy: 'key 1',
    };
    await insertInvitation(world.db, {
      ...to,
      nowMs: clock.now(),
      expiresMs: clock.now() + 3 * 24 * 3_600_000,
    });
  }
}

async function leaveSecurityMails(addresses: readonly string[]): Promise<void> {
  const { projectId } = await world.project();
  for (const [n, address] of addresses.entries()) {
    const accountId = `u-${String(n).padStart(20, 'a')}`;
    await world.db.query(
      'INSERT INTO auth.accounts (id, realm, email, email_folded, created) VALUES ($1, $2, $3, $3, now())',
      [accountId, projectId, address],
    );
    await world.db.query(
      `INSERT INTO auth.notices (id, account_id, kind, recipient, left_at, due)
       VALUES ($1, $2, 'password-changed', $3, $4, $4)`,
      [randomUUID(), accountId, address, new Date(clock.now())],
    );
  }
}

// Invariant (Sign-in): An invitation or security mail is sent once, unless a process ends between the mail
// server's answer and the database's
test.each([
  ['invitations', createInvitationMails, leaveInvitations],
  ['security mails', createSecurityMails, leaveSecurityMails],
])('%s are sent once, even by a slow mail server and several processes', async (name, create, leave) => {
  const addresses = [1, 2, 3].map((n) => `${name.replace(' ', '-')}-${n}@example.com`);
  await leave(addresses);
  const sent: string[] = [];
  const held = Promise.withResolvers<void>();
  const faults: unknown[] = [];
  const start = (send: (mail: Mail) => Promise<void>) =>
    create({
      ...{ accounts: world.accounts, send, write, consoleUrl: 'https://console.example' },
      onFault: (fault) => faults.push(fault),
    });
  const slow = start(async ({ to }) => {
    sent.push(to);
    await held.promise;
  });
  const quick = start(async ({ to }) => void sent.push(to));
  const round = slow.deliver();
  await waitUntil(() => sent.length === 1, { what: 'the mail that takes long' });
  clock.advance(61_000);
  await Promise.all([quick.deliver(), quick.deliver()]);
  held.resolve();
  await round;
  clock.advance(24 * 3_600_000);
  await Promise.all([quick.deliver(), slow.deliver()]);
  expect(sent.toSorted()).toEqual(addresses);
  expect(faults).toEqual([]);
});
