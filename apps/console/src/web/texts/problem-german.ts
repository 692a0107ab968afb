import type { Reason } from '@tickrate/contract';
import type { Words } from './define-texts.ts';
import type { ownProblemTexts } from './fault-texts.ts';

/** The words of the error catalogue in German. A reason without a text does not compile. */
const sentences: Readonly<Record<Reason, string>> = {
  malformedJson: 'Der Inhalt ist kein gültiges JSON',
  bodyTypeInvalid: 'Der Inhalt hat den falschen JSON-Typ',
  parameterInvalid: 'Eine Angabe fehlt oder ist ungültig',
  bodyTooLarge: 'Der Inhalt ist zu groß',
  contentTypeInvalid: 'Content-Type oder Content-Encoding wird nicht unterstützt',
  routeNotFound: 'Unter dieser Adresse gibt es keinen API-Aufruf',
  methodNotAllowed: 'Diese Adresse unterstützt diese Methode nicht',
  requestTimeout: 'Die Anfrage kam nicht rechtzeitig an',
  bodyNotDecodable: 'Der Inhalt lässt sich nicht so entpacken, wie es Content-Encoding angibt',
  apiKeyMissing: 'Sie sind nicht angemeldet',
  apiKeyInvalid: 'Die Anmeldung ist nicht mehr gültig',
  apiKeyKindNotPermitted: 'Diese Art von Schlüssel darf diesen Aufruf nicht machen',
  sessionExpired: 'Die Sitzung ist beendet',
  notPermitted: 'Sie dürfen das nicht tun',
  apiKeyScopeMissing: 'Ihrer Rolle fehlt das Recht dafür',
  originNotAllowed: 'Der Schlüssel ist von dieser Web-Adresse nicht erlaubt',
  sessionInOtherProject: 'Die Sitzung ist in einem anderen Projekt',
  objectNotFound: 'Das Objekt gibt es nicht',
  objectNotEditable: 'Das Objekt kann nicht geändert werden',
  objectAlreadyExists: 'Das Objekt gibt es schon',
  objectChanged: 'Das Objekt wurde inzwischen geändert',
  tokenOnOtherAccount: 'Das Token gehört zu einem anderen Konto',
  emailInUse: 'Die E-Mail-Adresse wird schon verwendet',
  lastCredential: 'Das ist der letzte Weg, sich bei diesem Konto anzumelden',
  credentialsInvalid: 'E-Mail-Adresse oder Passwort ist falsch',
  tokenInvalid: 'Kein Token wurde angenommen',
  tokenExpired: 'Das Token ist abgelaufen',
  twoFactorCodeInvalid: 'Der Code des zweiten Faktors ist falsch',
  twoFactorCodeUsed: 'Der Code des zweiten Faktors wurde schon verwendet',
  accountBanned: 'Das Konto ist gesperrt',
  registrationClosed: 'Die Registrierung ist geschlossen',
  tooManyAttempts: 'Zu viele Versuche',
  tooManyTwoFactorAttempts: 'Zu viele Versuche mit dem zweiten Faktor',
  passwordTooWeak: 'Das Passwort ist zu schwach',
  platformBanned: 'Die Plattform lehnt diesen Benutzer ab',
  exchangeConflict: 'Die Anmeldung gehört zu einem anderen Schlüssel oder Projekt',
  roleNotAvailable: 'Die Rolle ist nicht verfügbar',
  providerMisconfigured: 'Ein Anbieter lehnt die Zugangsdaten dieses Projekts ab',
  temporarilyUnavailable: 'Der Dienst ist gerade nicht verfügbar; versuchen Sie es später',
  rateLimited: 'Zu viele Anfragen',
  identityProviderUnavailable: 'Der Anbieter antwortet nicht',
  internalException: 'Ein innerer Fehler; er wurde unter der Nummer der Anfrage protokolliert',
  eventTypeNotFound: 'Der Event-Typ ist nicht deklariert',
  eventTypeVersionNotFound: 'Der Event-Typ hat diese Version nicht',
  eventTypeVersionRetired: 'Diese Version des Event-Typs ist außer Betrieb',
  eventDoesNotMatchType: 'Das Event passt nicht zu seinem Typ',
  batchTooLarge: 'Zu viele Events auf einmal',
  eventTooLarge: 'Das Event ist zu groß',
  eventQuotaExceeded: 'Das Kontingent des Projekts ist verbraucht',
  idempotencyKeyReused:
    'Der Idempotency-Key wurde schon mit anderem Inhalt verwendet, darum wurde nichts gespeichert. Nehmen Sie je Inhalt einen neuen.',
  streamPartlyAccepted:
    'Der Datenstrom ist nicht bis zum Ende lesbar; Events davor wurden angenommen. Nur die übrigen Zeilen neu senden.',
};

/** The sentence of a reason; null for one that the catalogue does not have. */
export function problemGerman(reason: string): string | null {
  return Object.hasOwn(sentences, reason) ? sentences[reason as Reason] : null;
}

export const ownProblemGerman: Words<typeof ownProblemTexts> = {
  unreachable: 'Die Konsole antwortet nicht. Sie versucht es von selbst noch einmal',
  unexpected: 'In der Konsole ist etwas fehlgeschlagen',
};
