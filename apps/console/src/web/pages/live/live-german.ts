import { counted, type Words } from '../../texts/define-texts.ts';
import type { liveTexts } from './live-texts.ts';

export const liveGerman: Words<typeof liveTexts> = {
  pause: 'Anhalten',
  follow: 'Folgen',
  lag: (text) => `${text} hinterher`,
  skipped: (count) => `${count} ausgelassen`,
  unread: (count) => `${count} nicht gelesen: Sie kommen zu schnell`,
  failing: 'ClickHouse antwortet nicht. Neue Events folgen, sobald es antwortet.',
  types: 'Typen',
  rejected: (count) => counted(count, 'Event in 24 Stunden abgelehnt', 'Events in 24 Stunden abgelehnt'),
  session: 'Sitzung',
  where: 'Bedingungen an Felder',
  whereExample: 'level > 3, mode = "ranked"',
  whereFault: (part) => `"${part}" ist keine Bedingung. Beispiel: level > 3, mode = "ranked"`,
  apply: 'Filtern',
  received: 'Empfangen',
  waiting: 'Wartet auf Events …',
  waitingText: 'Events erscheinen hier innerhalb von zwei Sekunden, nachdem ein Spiel sie gesendet hat.',
  openPlayer: 'Spieler öffnen',
  openType: 'Typ öffnen',
  openQuarantine: 'Abgelehnte Events dieses Typs',
  body: 'Inhalt',
  row: 'Was die Zeile sonst enthält',
};
