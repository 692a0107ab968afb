import type { Words } from '../../../texts/define-texts.ts';
import type { areaTexts, roleTexts } from './role-texts.ts';

export const roleGerman: Words<typeof roleTexts> = {
  help: 'Was Mitglieder in diesem Projekt dürfen. Die vier eingebauten Rollen ändern sich nie. Eine Änderung einer eigenen Rolle gilt ab dem nächsten Aufruf ihrer Mitglieder.',
  create: 'Neue Rolle',
  nameHelp: 'Kleinbuchstaben, Ziffern und Bindestriche, etwa support.',
  builtIn: 'eingebaut',
  own: 'eigene',
  none: 'Keines',
  read: 'Lesen',
  write: 'Lesen und schreiben',
  personal: 'Personenbezogene Daten sehen',
  personalHelp:
    'Felder von Events, die eine Deklaration als personenbezogen markiert, und wer ein Spieler ist. Ohne das Recht fehlen sie oder sind verdeckt.',
  builtInHelp:
    'Eingebaute Rollen lassen sich nicht ändern. Erstellen Sie eine eigene Rolle für andere Rechte.',
  created: 'Rolle erstellt',
  saved: 'Rolle gespeichert',
  renameHelp: (count) => `Ihre Mitglieder erhalten den neuen Namen: ${count}.`,
  limits:
    'Verlieren ihre Mitglieder Rechte, verlieren auch die von ihnen angelegten Schlüssel diese Rechte endgültig. Einladungen und Links enden, die sie nicht mehr anlegen dürften.',
  removed: 'Rolle gelöscht',
  removeTitle: 'Diese Rolle löschen?',
  removeHelp: (count) => `Mitglieder mit dieser Rolle: ${count}.`,
  replacement: 'Rolle, die sie erhalten',
  invited: (count) =>
    `Offene Einladungen nennen diese Rolle: ${count}. Ziehen Sie sie zuerst zurück, sonst dürfen die Eingeladenen nichts.`,
};

export const areaGerman: Words<typeof areaTexts> = {
  all: 'Auch Bereiche späterer Versionen',
  projects: 'Name und Testmodus. Schreiben erstellt auch Projekte und spielt die Demo',
  members: 'Auch Einladungen. Schreiben vergibt Rollen, bis zu den eigenen Rechten',
  keys: 'Schreiben erstellt, erneuert und widerruft sie, bis zu den eigenen Rechten',
  eventTypes: 'Ihre Deklarationen. Schreiben deklariert Versionen, rät von ihnen ab und zieht sie zurück',
  policies: 'Anmeldung, Grenzen, Aufbewahrung und Rollen',
  players: 'Ihre Identitäten und Sitzungen. Schreiben sperrt, exportiert und löscht sie',
  quarantine: 'Abgewiesene Events. Schreiben holt sie nach und löscht sie',
  pipeline: 'Übersicht und Pipeline: wo angenommene Events sind',
  queries: 'Erkunden, SQL, Live und Dashboards. Schreiben speichert und teilt sie',
  audit: 'Wer was geändert hat. Mit dem Recht, Spieler zu lesen, auch wer sich anmeldete',
  outbox: 'Mails, die auf den Versand warten',
};
