import { isPlainAddress } from '@tickrate/accounts';

/** The kinds of mails, and the placeholders of each. A template must contain the code if its mail has one. */
export const mailKinds = {
  reset: ['code'],
  verify: ['code'],
  register: ['code'],
  enrol: ['code'],
  'change-email': ['code'],
  'account-exists': [],
  'password-changed': [],
  'email-changed': [],
  'identity-linked': [],
  'identity-unlinked': [],
  'second-factor-enrolled': [],
  'second-factor-removed': [],
  invitation: ['inviter', 'project', 'role', 'until', 'link'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type MailKind = keyof typeof mailKinds;

export type MailFields<K extends MailKind> = Readonly<Record<(typeof mailKinds)[K][number], string>>;

export interface MailTemplate {
  readonly subject: string;
  readonly text: string;
}

const longestSubject = 200;
const placeholder = /\{\{([^{}]*)\}\}/g;

/** `Subject: …`, an empty line, the text. Returns the template or its fault. */
export function parseMailTemplate(
  kind: MailKind,
  source: string,
): { readonly template: MailTemplate; readonly faults: readonly string[] } {
  const [head = '', between = '', ...rest] = source
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  const subject = /^Subject: *(.*)$/.exec(head)?.[1]?.trim() ?? '';
  const text = rest.join('\n').trim();
  return { template: { subject, text }, faults: faultsOf(kind, { subject, text, between }) };
}

function faultsOf(
  kind: MailKind,
  { subject, text, between }: MailTemplate & { readonly between: string },
): string[] {
  const allowed: readonly string[] = mailKinds[kind];
  const used = Array.from(`${subject}\n${text}`.matchAll(placeholder), ([, name = '']) => name);
  const faults = used
    .filter((name) => !allowed.includes(name))
    .map(
      (name) =>
        `says {{${name}}}, which there is not; there is ${allowed.join(', ') || 'nothing to fill in'}`,
    );
  if (subject === '' || between.trim() !== '')
    faults.push('does not begin with a line "Subject: …" and an empty one');
  if (subject.length > longestSubject || /\p{Cc}/u.test(subject))
    faults.push(`has a subject longer than ${longestSubject} characters, or of more than text`);
  if (text === '') faults.push('has no text');
  if (allowed.includes('code') && !/\{\{code\}\}/.test(text))
    faults.push('does not say {{code}} in its text');
  if (subject.includes('{{code}}')) faults.push('says {{code}} in its subject, which notifications show');
  return faults;
}

/** Values are text of one line, whoever chose them: they add no header, line, placeholder or link. */
export function fillMailTemplate(
  { subject, text }: MailTemplate,
  fields: Readonly<Record<string, string>>,
): MailTemplate {
  const fill = (template: string) =>
    template.replace(placeholder, (_, name: string) => shown(name, fields[name] ?? ''));
  return { subject: fill(subject), text: fill(text) };
}

/** The console's address is a setting, and the inviter's own address was checked: only these may become links. */
function shown(name: string, value: string): string {
  return name === 'link' || (name === 'inviter' && isPlainAddress(value)) ? value : plain(value);
}

const longestField = 100;

// Invisible characters can change the visible order of a text. Mail programs turn anything that looks like an address
// into a link.
function plain(text: string): string {
  const visible = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>\\/]+/gu, ' ').replaceAll(/\s+/g, ' ');
  return visible
    .replaceAll(/[.@](?=\p{L})/gu, '$& ')
    .trim()
    .slice(0, longestField);
}
