import type { Words } from '../../texts/define-texts.ts';
import type { accountTexts } from './account-texts.ts';

export const accountGerman: Words<typeof accountTexts> = {
  title: 'Ihr Konto',
  noAddress: 'keine Adresse',
  unverified: 'nicht bestätigt',
  sessions: 'Ihre Sitzungen',
  sessionsText:
    'Überall, wo dieses Konto angemeldet ist. Wenn Sie eine Sitzung nicht kennen, beenden Sie sie, und setzen Sie bei der Anmeldung ein neues Passwort.',
  thisSession: 'dieser Browser',
  started: 'Angemeldet',
  expires: 'Endet',
  how: 'Mit',
  endOf: (start) => `Sitzung vom ${start} beenden`,
  endOthers: 'Alle anderen beenden',
  ended: 'Die Sitzung ist beendet',
  endedOthers: (count) => `Beendet: ${count}`,
  factorOn: 'An',
  factorOff: 'Aus',
  factorText:
    'Damit braucht eine Anmeldung außer dem Passwort einen Code Ihrer Authenticator-App. Ein gestohlenes Passwort genügt dann nicht.',
  factorBegin: 'Einrichten',
  mailSent: 'Wir haben einen Code gesendet an',
  mailReason:
    'Nur wer dieses Postfach liest, kann einen zweiten Faktor einrichten. Ein gestohlenes Passwort genügt nicht.',
  mailCodeHelp: 'Er gilt 30 Minuten lang.',
  mailWrong: 'Das ist nicht der Code aus der Mail.',
  mailExpired: 'Dieser Code ist abgelaufen. Wir haben einen neuen gesendet.',
  mailSentAgain:
    'Eine weitere Mail ist unterwegs, höchstens eine in der Minute. Frühere Codes gelten weiter.',
  mailAgain: 'Erneut senden',
  factorConfirm: 'Einschalten',
  factorWarning: 'Das Einschalten beendet Ihre anderen Sitzungen.',
  factorRemove: 'Entfernen',
  factorRemoveText:
    'Danach meldet Sie das Passwort allein an. Ihre Wiederherstellungscodes gelten nicht mehr.',
  factorRemoved: 'Der zweite Faktor ist entfernt',
  recent:
    'Melden Sie sich dafür ab und wieder an: Es braucht eine Anmeldung mit Passwort, die weniger als 15 Minuten alt ist.',
};
