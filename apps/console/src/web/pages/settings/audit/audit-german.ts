import type { Words } from '../../../texts/define-texts.ts';
import type { auditTexts } from './audit-texts.ts';

export const auditGerman: Words<typeof auditTexts> = {
  title: 'Protokoll',
  help: 'Jede Änderung dieses Projekts mit ihrem Urheber, auch abgelehnte, und die Anmeldungen von Administratoren und Spielern.',
  at: 'Zeit',
  actor: 'Von',
  action: 'Handlung',
  object: 'Betrifft',
  outcome: 'Ergebnis',
  address: 'Adresse',
  request: 'Anfrage',
  kind: 'Art',
  anyKind: 'Änderungen und Anmeldungen',
  management: 'Änderungen des Projekts',
  signIn: 'Anmeldungen und Konten',
  anyAct: 'Jede Handlung',
  ofAccount: (name) => `Nur von ${name} oder an diesem Konto`,
  onlyAccount: 'Nur dieses Konto',
  everyAccount: 'Alle Konten zeigen',
  you: 'Sie',
  nobody: 'Unbekanntes Konto',
  done: 'erledigt',
  unknown: 'unbekannt',
  unknownHelp:
    'Das Ergebnis ist nicht bekannt: Der Prozess endete, oder eine Datenbank antwortete nicht. Prüfen Sie das Objekt.',
  details: 'Vollständiger Eintrag',
  noActs: 'Keine Handlung passt',
  noActsHelp: 'Wählen Sie eine andere Handlung oder Art.',
};
