import { waitUntil } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { startAuthWorld } from '../testing/auth-world.ts';

const password = 'correct horse battery staple';
const { world, auth } = await startAuthWorld();

async function mailsTo(address: string): Promise<number> {
  const sql = 'SELECT FROM auth.outbox WHERE recipient = $1';
  return (await world.db.query(sql, [address])).length;
}

// Invariant (Sign-in): Mails that strangers request use up no mail that the owner needs
test("resets that a stranger requests use up no mail of the owner's sign-in", async () => {
  const { key } = await world.project({ sessions: { requireSecondFactor: true } });
  const emailAddress = 'budget@example.com';
  const login = { emailAddress, password };
  await auth.send({ key, body: { ...login, intent: 'register' } });
  const token = await waitUntil(() => world.mailedCode(emailAddress), { what: 'a mail' });
  const verify = { key, method: 'POST', path: 'account/email/verify', body: { token, password } };
  expect((await auth.send(verify)).body).toBe(true);
  await auth.send({ key, method: 'POST', path: 'password/reset', body: { emailAddress } });
  await waitUntil(async () => (await mailsTo(emailAddress)) === 2, { what: 'the mail of the reset' });
  const asked = await auth.send({ key, body: login });
  expect(asked.body).toMatchObject({ promptForEmailVerification: true });
  await waitUntil(async () => (await mailsTo(emailAddress)) === 3, { what: 'the mail of the sign-in' });
});
