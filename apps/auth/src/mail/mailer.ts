import { isPlainAddress } from '@tickrate/accounts';
import { createTransport } from 'nodemailer';

export interface Mail {
  /** The realm of the receiver: a project, which sees the mail in the outbox, or the installation. */
  readonly realm: string;
  /** The account that the mail is about, if it exists. An outbox keeps no mail of an erased account. */
  readonly accountId: string | null;
  readonly to: string;
  readonly subject: string;
  /** Plain text without markup, so that a name cannot become a link. */
  readonly text: string;
}

/** Resolves when the mail server or the outbox has accepted the mail; rejects otherwise. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  /** Closes idle connections; mails in progress fail. */
  close(): void;
}

export interface MailerOptions {
  /** `smtp://user:password@host:587`, or `smtps:` for TLS from the start. Null for the outbox. */
  readonly smtpUrl: string | null;
  /** For example `Tickrate <no-reply@studio.example>`. */
  readonly from: string;
  /** Stores a mail if there is no mail server. */
  readonly putInOutbox: (mail: Mail) => Promise<void>;
  /** Sends passwords and mails to a server without TLS, and trusts any certificate. */
  readonly development: boolean;
  readonly timeoutMs?: number;
}

export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
}

const usualTimeoutMs = 10_000;
const mostConnections = 2;

export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, from, putInOutbox } = options;
  if (smtpUrl === null) return { send: (mail) => putInOutbox(onOneLine(mail)), close: () => undefined };
  const transport = createTransport(transportOf(smtpUrl, options));
  return {
    async send(mail) {
      const { to, subject, text } = onOneLine(mail);
      // An object is one address; a text would be read as a list of addresses.
      const recipient = { name: '', address: to };
      const message = { from, to: recipient, subject, text, disableFileAccess: true, disableUrlAccess: true };
      await transport.sendMail(message).catch((error: unknown) => {
        throw failureOf(error);
      });
    },
    close: () => transport.close(),
  };
}

function transportOf(smtpUrl: string, { development, timeoutMs = usualTimeoutMs }: MailerOptions) {
  const url = new URL(smtpUrl);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  return {
    pool: true as const,
    maxConnections: mostConnections,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !development,
    tls: { rejectUnauthorized: !development },
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  };
}

function onOneLine({ subject, ...mail }: Mail): Mail {
  if (!isPlainAddress(mail.to)) throw new MailNotSent('That is not one address');
  const line = subject.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  // With a character that nobody sees, mail readers show what looks encoded as it was written.
  return { ...mail, subject: line.replaceAll('=?', '=\u200B?') };
}

/** By code: the words of a mail server can contain the address, which does not belong in a log. */
function failureOf(error: unknown): MailNotSent {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  const status: unknown = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined;
  return new MailNotSent(`The mail server took no mail (${String(status ?? code ?? 'unknown')})`);
}
