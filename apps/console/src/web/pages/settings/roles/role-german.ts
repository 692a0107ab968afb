import type { Words } from '../../../texts/define-texts.ts';
import type { roleTexts } from './role-texts.ts';

export const roleGerman: Words<typeof roleTexts> = {
  title: 'Rollen',
  help: 'Was Mitglieder in diesem Projekt dürfen. Die vier eingebauten Rollen ändern sich nie. Eine Änderung einer eigenen Rolle gilt ab dem nächsten Aufruf ihrer Mitglieder.',
  create: 'Neue Rolle',
  name: 'Name',
  nameHelp: 'Kleinbuchstaben, Ziffern und Bindestriche, etwa support.',
  kind: 'Art',
  builtIn: 'eingebaut',
  own: 'eigene',
  members: 'Mitglieder',
  rights: 'Rechte',
  none: 'Keines',
  read: 'Lesen',
  write: 'Lesen und schreiben',
  personal: 'Personenbezogene Daten sehen',
  personalHelp:
    'Felder von Events, die eine Deklaration als personenbezogen markiert, und wer ein Spieler ist. Ohne das Recht fehlen sie oder sind verdeckt.',
  builtInHelp:
    'Eingebaute Rollen lassen sich nicht ändern. Erstellen Sie eine eigene Rolle für andere Rechte.',
  save: 'Speichern',
  created: 'Rolle erstellt',
  saved: 'Rolle gespeichert',
  renameHelp: (count) => `Ihre Mitglieder erhalten den neuen Namen: ${count}.`,
  limits:
    'Verlieren ihre Mitglieder Rechte, verlieren auch die von ihnen angelegten Schlüssel diese Rechte endgültig. Einladungen und Links enden, die sie nicht mehr anlegen dürften.',
  removed: 'Rolle gelöscht',
  remove: 'Löschen',
  removeTitle: 'Diese Rolle löschen?',
  removeHelp: (count) => `Mitglieder mit dieser Rolle: ${count}.`,
  replacement: 'Rolle, die sie erhalten',
  invited: (count) =>
    `Offene Einladungen nennen diese Rolle: ${count}. Ziehen Sie sie zuerst zurück, sonst dürfen die Eingeladenen nichts.`,
};
