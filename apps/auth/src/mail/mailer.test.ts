import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { createMailer, type Mail, type Mailer, type MailerOptions, MailNotSent } from './mailer.ts';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: unknown;
  readonly secure: boolean;
  readonly source: string;
}

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function startSmtp(options: SMTPServerOptions = {}) {
  const mails: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'us er' && password === 'p@ss:word'
        ? done(null, { user: username })
        : done(new Error('no')),
    onData(stream, { envelope, user, secure }, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, user, secure, source: Buffer.concat(pieces).toString('utf8') });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  cleanups.push(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return { mails, port };
}

function start(options: Partial<MailerOptions>): { mailer: Mailer; outbox: Mail[] } {
  const outbox: Mail[] = [];
  const mailer = createMailer({
    smtpUrl: null,
    from: 'Tickrate <no-reply@studio.example>',
    putInOutbox: async (mail) => void outbox.push(mail),
    development: true,
    ...options,
  });
  cleanups.push(mailer.close);
  return { mailer, outbox };
}

const mail = {
  realm: 'p-kart',
  accountId: 'u-marigoldmarigold0001',
  to: 'marigold@example.test',
  subject: 'Reset your password',
  text: 'Code: abc\n.\nGrüße',
};

describe('the mailer', () => {
  it('hands a plain mail to the server, under the account that the address names', async () => {
    const { mails, port } = await startSmtp();
    const { mailer, outbox } = start({ smtpUrl: `smtp://us%20er:p%40ss%3Aword@127.0.0.1:${port}` });
    await mailer.send(mail);
    expect(mails).toMatchObject([
      { from: 'no-reply@studio.example', to: [mail.to], user: 'us er', secure: true },
    ]);
    const source = mails[0]?.source ?? '';
    expect(source).toContain('Subject: Reset your password');
    expect(source).toContain('Content-Type: text/plain; charset=utf-8');
    expect(source).not.toContain('text/html');
    expect(outbox).toEqual([]);
  });

  it('sends many over few connections', async () => {
    let connections = 0;
    const { mails, port } = await startSmtp({
      onConnect(_session, done) {
        connections += 1;
        done();
      },
    });
    const { mailer } = start({ smtpUrl: `smtp://127.0.0.1:${port}` });
    await Promise.all(Array.from({ length: 12 }, () => mailer.send(mail)));
    expect(mails).toHaveLength(12);
    expect(connections).toBeLessThanOrEqual(2);
  });

  it('allows no added recipients or headers', async () => {
    const { mails, port } = await startSmtp();
    const { mailer } = start({ smtpUrl: `smtp://127.0.0.1:${port}` });
    const hostile = [
      'a@x.test, b@x.test',
      'a@x.test\r\nBcc: b@x.test',
      '<a@x.test>',
      'a@x.test;b@x.test',
      'nobody',
    ];
    for (const to of hostile) await expect(mailer.send({ ...mail, to })).rejects.toThrow(MailNotSent);
    expect(mails).toEqual([]);
    await mailer.send({ ...mail, subject: 'Hello\r\nBcc: b@x.test\r\n\r\nbody' });
    expect(mails).toMatchObject([{ to: [mail.to] }]);
    expect(mails[0]?.source).not.toMatch(/^Bcc:/im);
  });

  it('shows a subject as it was written, also one that looks encoded', async () => {
    const { mails, port } = await startSmtp();
    const { mailer } = start({ smtpUrl: `smtp://127.0.0.1:${port}` });
    await mailer.send({ ...mail, subject: 'Join =?utf-8?B?aHR0cHM6Ly9ldmlsLmV4YW1wbGU=?=' });
    const source = mails[0]?.source ?? '';
    expect(source).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(source).not.toContain('=?utf-8?B?aHR0');
  });

  it('rejects without the address when the server refuses the mail', async () => {
    const { port } = await startSmtp({
      onRcptTo: (_address, _session, done) => done(new Error('550 no such user marigold')),
    });
    const { mailer } = start({ smtpUrl: `smtp://127.0.0.1:${port}` });
    const error = await mailer.send(mail).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MailNotSent);
    expect(String(error)).not.toContain('marigold');
  });

  it('sends nothing without TLS outside of development', async () => {
    const { mails, port } = await startSmtp({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] });
    const { mailer } = start({ smtpUrl: `smtp://127.0.0.1:${port}`, development: false });
    await expect(mailer.send(mail)).rejects.toThrow(MailNotSent);
    expect(mails).toEqual([]);
  });

  it('trusts no certificate of its own making outside of development', async () => {
    const { mails, port } = await startSmtp();
    const { mailer } = start({ smtpUrl: `smtp://127.0.0.1:${port}`, development: false });
    await expect(mailer.send(mail)).rejects.toThrow(MailNotSent);
    expect(mails).toEqual([]);
  });

  it('fails after the timeout if the server sends nothing', async () => {
    const { port } = await startSmtp({ onConnect: () => undefined });
    const { mailer } = start({ smtpUrl: `smtp://127.0.0.1:${port}`, timeoutMs: 100 });
    await expect(mailer.send(mail)).rejects.toThrow(MailNotSent);
  });

  it('keeps mails in the outbox when there is no server', async () => {
    const { mailer, outbox } = start({});
    await mailer.send(mail);
    expect(outbox).toEqual([mail]);
  });
});
