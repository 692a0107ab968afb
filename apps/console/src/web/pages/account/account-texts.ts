import { defineTexts } from '../../texts/define-texts.ts';

export const accountTexts = defineTexts(
  {
    title: 'Your account',
    address: 'E-mail address',
    noAddress: 'no address',
    unverified: 'not confirmed',
    sessions: 'Your sessions',
    sessionsText:
      'Every place where this account is signed in. If you do not know one, end it and reset your password at the sign-in.',
    thisSession: 'this browser',
    started: 'Signed in',
    expires: 'Ends',
    how: 'With',
    project: 'Project',
    end: 'End',
    endOf: (start: string) => `End the session of ${start}`,
    endOthers: 'End all others',
    ended: 'The session has ended',
    endedOthers: (count: string) => `Ended: ${count}`,
    method: (name: string) =>
      (
        ({
          pwd: 'password',
          otp: 'authenticator',
          recovery: 'recovery code',
          link: 'sign-in link',
          email: 'mail code',
        }) as Readonly<Record<string, string>>
      )[name] ?? name,
    factor: 'Second factor',
    factorOn: 'On',
    factorOff: 'Off',
    factorText:
      'With it, a sign-in needs a code of your authenticator app besides the password. A stolen password is then not enough.',
    factorBegin: 'Set up',
    mailTitle: 'Confirm that it is you',
    mailSent: 'We mailed a code to',
    mailReason: 'Only the owner of this mailbox can set up a second factor. A stolen password is not enough.',
    mailCode: 'Code from the mail',
    mailCodeHelp: 'It is valid for 30 minutes.',
    mailWrong: 'This is not the code of the mail.',
    mailExpired: 'This code has expired. We mailed a new one.',
    mailSentAgain: 'Another mail is on its way, at most one a minute. Earlier codes stay valid.',
    mailAgain: 'Send again',
    mailContinue: 'Continue',
    factorScan: 'Scan this with your authenticator app, then enter the code that it shows.',
    code: 'Code',
    factorConfirm: 'Turn on',
    factorWarning: 'Turning it on ends your other sessions.',
    factorRemove: 'Remove',
    factorRemoveText: 'From then on, the password alone signs you in. Your recovery codes stop working.',
    factorRemoved: 'The second factor is removed',
    recent:
      'For this, sign out and in again: it needs a sign-in with password that is less than 15 minutes old.',
  },
  {
    title: 'Ihr Konto',
    address: 'E-Mail-Adresse',
    noAddress: 'keine Adresse',
    unverified: 'nicht bestätigt',
    sessions: 'Ihre Sitzungen',
    sessionsText:
      'Überall, wo dieses Konto angemeldet ist. Wenn Sie eine Sitzung nicht kennen, beenden Sie sie, und setzen Sie bei der Anmeldung ein neues Passwort.',
    thisSession: 'dieser Browser',
    started: 'Angemeldet',
    expires: 'Endet',
    how: 'Mit',
    project: 'Projekt',
    end: 'Beenden',
    endOf: (start) => `Sitzung vom ${start} beenden`,
    endOthers: 'Alle anderen beenden',
    ended: 'Die Sitzung ist beendet',
    endedOthers: (count) => `Beendet: ${count}`,
    method: (name) =>
      (
        ({
          pwd: 'Passwort',
          otp: 'Authenticator',
          recovery: 'Wiederherstellungscode',
          link: 'Anmelde-Link',
          email: 'Code aus der Mail',
        }) as Readonly<Record<string, string>>
      )[name] ?? name,
    factor: 'Zweiter Faktor',
    factorOn: 'An',
    factorOff: 'Aus',
    factorText:
      'Damit braucht eine Anmeldung außer dem Passwort einen Code Ihrer Authenticator-App. Ein gestohlenes Passwort genügt dann nicht.',
    factorBegin: 'Einrichten',
    mailTitle: 'Bestätigen Sie, dass Sie es sind',
    mailSent: 'Wir haben einen Code gesendet an',
    mailReason:
      'Nur wer dieses Postfach liest, kann einen zweiten Faktor einrichten. Ein gestohlenes Passwort genügt nicht.',
    mailCode: 'Code aus der Mail',
    mailCodeHelp: 'Er gilt 30 Minuten lang.',
    mailWrong: 'Das ist nicht der Code aus der Mail.',
    mailExpired: 'Dieser Code ist abgelaufen. Wir haben einen neuen gesendet.',
    mailSentAgain:
      'Eine weitere Mail ist unterwegs, höchstens eine in der Minute. Frühere Codes gelten weiter.',
    mailAgain: 'Erneut senden',
    mailContinue: 'Weiter',
    factorScan: 'Scannen Sie das mit Ihrer Authenticator-App und geben Sie dann den Code ein, den sie zeigt.',
    code: 'Code',
    factorConfirm: 'Einschalten',
    factorWarning: 'Das Einschalten beendet Ihre anderen Sitzungen.',
    factorRemove: 'Entfernen',
    factorRemoveText:
      'Danach meldet Sie das Passwort allein an. Ihre Wiederherstellungscodes gelten nicht mehr.',
    factorRemoved: 'Der zweite Faktor ist entfernt',
    recent:
      'Melden Sie sich dafür ab und wieder an: Es braucht eine Anmeldung mit Passwort, die weniger als 15 Minuten alt ist.',
  },
);
