import type { Words } from '../../texts/define-texts.ts';
import type { signInTexts } from './sign-in-texts.ts';

export const signInGerman: Words<typeof signInTexts> = {
  intro: 'Spielersitzungen und Spieltelemetrie',
  invited: (project: string, role: string) => `Sie sind zu „${project}“ eingeladen, als ${role}`,
  signIn: 'Anmelden',
  next: 'Weiter',
  signInWith: (provider) => `Mit ${provider} anmelden`,
  or: 'oder',
  returnUnknown:
    'Diese Anmeldung wurde nicht in diesem Tab begonnen oder schon benutzt. Beginnen Sie sie hier.',
  returnRefused: (error) => `Der Anbieter hat Sie nicht angemeldet: ${error}`,
  register: 'Konto anlegen',
  registerText:
    'Benutzen Sie die Adresse Ihrer Einladung. Ohne Einladung geht es nur, wenn die Registrierung hier offen ist.',
  haveAccount: 'Ich habe ein Konto',
  newPassword: 'Passwort wählen',
  newPasswordHelp: 'Mindestens 8 Zeichen',
  forgotten: 'Passwort vergessen?',
  resetTitle: 'Passwort zurücksetzen',
  resetText: 'Wir senden einen Code an diese Adresse, wenn sie ein Konto hat.',
  resetSend: 'Code senden',
  resetHaveCode: 'Ich habe einen Code',
  resetSent: (address) => `Wenn ${address} ein Konto hat, gibt es eine Mail mit einem Code an sie.`,
  resetCode: 'Code aus der Mail',
  resetDone: 'Das Passwort ist gesetzt. Melden Sie sich damit an.',
  resetSet: 'Passwort setzen',
  codeText: 'Geben Sie den Code Ihrer Authenticator-App ein, oder einen Ihrer Wiederherstellungscodes.',
  code: 'Code',
  codeWrong: 'Der Code ist falsch oder abgelaufen.',
  trust: 'Diesem Browser 30 Tage vertrauen',
  trustHelp: 'Er fragt dann nach keinem Code. Nur auf einem Rechner, den Sie allein benutzen.',
  mailedTitle: 'Bestätigen Sie, dass Sie es sind',
  mailedText: (address) =>
    `Hier ist ein zweiter Faktor vorgeschrieben. Bevor Sie ihn einrichten, geben Sie den Code aus der Mail an ${address} ein.`,
  verifyTitle: 'Adresse bestätigen',
  verifyText: (address) =>
    `Wenn ${address} eingeladen ist oder sich hier registrieren darf, gibt es eine Mail mit einem Code an sie. Geben Sie den Code ein.`,
  enrolTitle: 'Zweiten Faktor einrichten',
  enrolText: 'Scannen Sie das mit Ihrer Authenticator-App und geben Sie dann den Code ein, den sie zeigt.',
  enrolManual: 'Oder tippen Sie dieses Geheimnis in die App:',
  qr: 'QR-Code für die Authenticator-App',
  recoveryTitle: 'Wiederherstellungscodes aufbewahren',
  recoveryText:
    'Jeder dieser Codes meldet Sie einmal an, wenn Sie Ihren Authenticator verlieren. Sie werden nur jetzt gezeigt. Bewahren Sie sie so auf, dass niemand sonst sie liest.',
  recoveryKept: 'Ich habe sie aufbewahrt',
  projectTitle: 'Projekt wählen',
  resend: 'Von vorn beginnen',
  unavailableToken:
    'Dieser Link wurde schon benutzt oder ist älter als zehn Minuten. Erzeugen Sie mit `npm run tickrate -- sign-in-link` einen neuen, oder melden Sie sich an.',
  opening: 'Sie werden angemeldet …',
  notMemberTitle: 'Sie sind kein Mitglied dieses Projekts mehr',
  notMemberText:
    'Um es zu sehen, bitten Sie ein Mitglied des Projekts um eine neue Einladung. Ihre anderen Projekte können Sie öffnen.',
  otherProjects: 'Ein anderes Projekt öffnen',
  noProjectTitle: 'Sie sind kein Mitglied eines Projekts mehr',
  noProjectText:
    'Bitten Sie ein Mitglied eines Projekts, diese Adresse einzuladen. Melden Sie sich danach wieder an.',
};
