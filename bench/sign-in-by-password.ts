import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@tickrate/testkit';
import { SMTPServer } from 'smtp-server';
import type { Bench } from './bench.ts';
import { drive } from './drive.ts';
import { players, type SignInProcess, withSignInStore } from './sign-in-process.ts';
import { takeSignInRounds } from './sign-in-rounds.ts';

export const authPassword: Bench = {
  name: 'auth.password',
  unit: 'sign-ins/s',
  against: 'bare Argon2id with the same parameters, as many at once',
  target: 0.85,
  better: 'higher',
  run: (report) =>
    withSignInStore(async (store) => {
      const mails = await receiveMails();
      const measure = async (auth: SignInProcess) => {
        const addresses = Array.from({ length: players }, (_, each) => `player${each}@example.com`);
        for (const address of addresses) await register(auth, mails.codeTo, address);
        const credentials = addresses.map((emailAddress) => ({ emailAddress, password }));
        const bare = (measureMs: number) => drive('bare-argon2.ts', measureMs);
        return takeSignInRounds({ auth, credentials, rounds: 7, report, bare });
      };
      try {
        return await store.withAuth(measure, { environment: { SMTP_URL: mails.url } });
      } finally {
        await mails.stop();
      }
    }),
};

const password = 'abandoned-quarry-9';

async function register(
  { send }: SignInProcess,
  mailedCode: (to: string) => Promise<string>,
  emailAddress: string,
): Promise<void> {
  await send('PUT', 'authenticate', { emailAddress, password, intent: 'register' });
  const token = await mailedCode(emailAddress);
  await send('POST', 'account/email/verify', { token, password });
}

async function receiveMails() {
  const mails: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, _session, done) {
      mails.push(Buffer.concat(await stream.toArray()).toString('utf8'));
      done();
    },
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    async codeTo(address: string): Promise<string> {
      const found = await waitUntil(() => mails.find((mail) => mail.includes(address)), { what: 'a mail' });
      return /Code: (\S+)/.exec(found ?? '')?.[1] ?? '';
    },
    stop: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  };
}
