import { defineTexts } from '../../../texts/define-texts.ts';

export const roleTexts = defineTexts(
  {
    title: 'Roles',
    help: 'What members may do in this project. The four built-in roles never change. A change of an own role applies from the next call of its members.',
    create: 'New role',
    name: 'Name',
    nameHelp: 'Lower-case letters, digits and hyphens, such as support.',
    kind: 'Kind',
    builtIn: 'built-in',
    own: 'own',
    members: 'Members',
    rights: 'Rights',
    none: 'None',
    read: 'Read',
    write: 'Read and write',
    personal: 'See personal data',
    personalHelp:
      'Members of events that a declaration marks as personal, and who a player is. Without it they are left out or masked.',
    builtInHelp: 'Built-in roles cannot be changed. Create an own role for other rights.',
    save: 'Save',
    created: 'Role created',
    saved: 'Role saved',
    renameHelp: (count: string) => `Its members get the new name: ${count}.`,
    limits:
      'If its members lose rights, keys that they made lose these rights too, for good. Invitations and links end that they could no longer make.',
    removed: 'Role deleted',
    remove: 'Delete',
    removeTitle: 'Delete this role?',
    removeHelp: (count: string) => `Members with this role: ${count}.`,
    replacement: 'Role that they get',
    invited: (count: string) =>
      `Open invitations name this role: ${count}. Withdraw them first, or the invited users can do nothing.`,
  },
  {
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
  },
);
