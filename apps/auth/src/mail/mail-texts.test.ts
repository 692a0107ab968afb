import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type MailKind, mailKinds } from './mail-template.ts';
import { createWriteMail, readMailTemplates } from './mail-texts.ts';

const write = createWriteMail(readMailTemplates(null).templates);
const invitation = (project: string) => ({
  ...{ inviter: 'kim@studio.example', project, role: 'analyst', until: '2026-12-24' },
  link: 'https://console.example/sign-in',
});

/** A folder with these files, for the duration of the test. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tickrate-mails-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

describe('the mails', () => {
  it.each(['en', 'de'])('are all there in %s, with nothing left to fill in', (locale) => {
    for (const kind of Object.keys(mailKinds) as MailKind[]) {
      const fields = { code: 'the-code', ...invitation('Kart') };
      const { subject, text } = write(kind, locale, fields);
      expect(`${subject}${text}`).not.toMatch(/\{\{|\}\}|Subject:/);
      if (mailKinds[kind].some((name) => name === 'code')) expect(text).toContain('Code: the-code');
    }
    const [english, own] = ['en', locale].map((each) => write('password-changed', each, {}).subject);
    expect(own === english).toBe(locale === 'en');
  });

  it('are in the language nearest to the locale, and in English where there is none', () => {
    const german = write('reset', 'de', { code: 'c' });
    for (const locale of ['de-AT', 'DE_at', 'de-ch-1996'])
      expect(write('reset', locale, { code: 'c' })).toEqual(german);
    const english = write('reset', 'en', { code: 'c' });
    for (const locale of [null, '', 'xx', '../../etc', 'd'.repeat(40)]) {
      expect(write('reset', locale, { code: 'c' })).toEqual(english);
    }
  });

  it('are taken from the folder that is given, those that it has, and else are ours', () => {
    const folder = folderOf({
      'en/reset.txt': 'Subject: Kart: a new password\r\n\r\nYour code is {{code}}.\r\n',
      'pt-br/reset.txt': 'Subject: Nova senha\n\nCode: {{code}}\n',
      '.git/config': 'not a mail',
    });
    const { templates, faults } = readMailTemplates(folder);
    expect(faults).toEqual([]);
    const given = createWriteMail(templates);
    expect(given('reset', 'fr', { code: 'c' })).toEqual({
      subject: 'Kart: a new password',
      text: 'Your code is c.',
    });
    expect(given('reset', 'pt-BR', { code: 'c' }).subject).toBe('Nova senha');
    expect(given('verify', 'pt-BR', { code: 'c' })).toEqual(write('verify', 'en', { code: 'c' }));
    expect(given('reset', 'de', { code: 'c' })).toEqual(write('reset', 'de', { code: 'c' }));
  });

  it('that cannot be sent are reported all at once, by file', () => {
    const folder = folderOf({
      'en/reset.txt': 'Subject: A new password\n\nNo code.',
      'en/verify.txt': 'Subject: {{code}}\n\n{{code}}',
      'en/register.txt': 'Code: {{code}}',
      'en/invitation.txt': 'Subject: Hello {{name}}\n\nHello',
      'en/password-changed.txt': 'Subject: Empty\n\n',
      'en/account-exists.txt': `Subject: ${'x'.repeat(300)}\n\n${'x'.repeat(20_000)}`,
      'en/welcome.txt': 'Subject: Welcome\n\nWelcome',
      'English/reset.txt': '',
      'en/identity-unlinked.html': '',
    });
    const faults = readMailTemplates(folder).faults.join('\n');
    for (const place of [
      'en/reset.txt does not say {{code}}',
      'en/verify.txt says {{code}} in its subject',
      'en/register.txt does not begin',
      'en/invitation.txt says {{name}}',
      'en/password-changed.txt has no text',
      'en/account-exists.txt is longer',
      'en/welcome.txt is none of',
      'English is not a locale',
      'en/identity-unlinked.html is none of',
    ]) {
      expect(faults).toContain(place);
    }
    expect(readMailTemplates(join(folder, 'nowhere')).faults.join()).toContain('is not a folder');
  });
});

const hostileCharacter = fc.constantFrom(...'aZ9.@/\\<>{}$ \t\r\n\u0000\u0085\u2028\u2029\u202e\u200b\ufeff');

describe('a value in a mail', () => {
  it('adds no header, no line, no markup, no placeholder and no link of its own', () => {
    const hostile = [
      'Kart\r\nBcc: b@evil.example\r\n\r\nClick',
      'Kart\u2028Click\u0085here',
      '<a href="https://evil.example">Kart</a>',
      'visit https://evil.example/login now',
      'evil.example',
      'Kart \u202egnp.exe',
      '{{role}}{{project}}',
      '$& $1 $`',
      'x'.repeat(10_000),
    ];
    for (const name of hostile) {
      const { subject, text } = write('invitation', null, invitation(name));
      expect(subject).not.toMatch(/\p{Cc}|\p{Cf}|\u2028|[<>]|:\/\/|evil\.example/u);
      expect(subject.length).toBeLessThan(150);
      const others = text.replace(invitation(name).link, '');
      expect(others).not.toMatch(/[<>\u2028\u202e]|:\/\/|evil\.example/u);
      expect(text.split('\n')).toHaveLength(6);
    }
    expect(write('invitation', null, invitation('{{role}}')).subject).toBe('You are invited to {{role}}');
    expect(write('invitation', null, invitation('$&')).subject).toBe('You are invited to $&');
  });

  it('is one line, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: hostileCharacter }), (name) => {
        const { subject, text } = write('invitation', null, invitation(name));
        expect(subject.split(/[\p{Cc}\u2028\u2029]/u)).toHaveLength(1);
        expect(text.split(/[\r\n\u2028\u2029]/)).toHaveLength(6);
      }),
    );
  });

  it('leaves codes and ordinary names as they are', () => {
    const code = 'Ab-_9.z0'.replace('.', '');
    expect(write('reset', null, { code }).text).toContain(`Code: ${code}\n`);
    expect(write('invitation', null, invitation('Kart 2.0: Größer! #1')).subject).toBe(
      'You are invited to Kart 2.0: Größer! #1',
    );
  });
});
