import { counted, type Words } from '../../texts/define-texts.ts';
import type { quarantineTexts } from './quarantine-texts.ts';

export const quarantineGerman: Words<typeof quarantineTexts> = {
  counts: 'Nach Typ und Grund',
  choose: 'Eine Zeile wählen, um ihre Ereignisse zu beheben und zu wiederholen',
  history: 'Abgelehnte und unzustellbare Events über die Zeit',
  historyText: 'Alle, die abgelehnt wurden, auch seither wiederholte oder gelöschte.',
  version: 'Version',
  reason: 'Grund',
  dead: 'Unzustellbar',
  kept: 'Proben',
  unsampled: 'Ohne Probe',
  unsampledText: (count) =>
    `${counted(count, 'Event hat keine Probe und lässt', 'Events haben keine Probe und lassen')} sich nicht wiederholen. Von vielen abgelehnten Events eines Typs und Grundes werden nur einige aufbewahrt. Verwerfen Sie ihre Zeile, um die Liste zu leeren.`,
  last: 'Zuletzt',
  message: 'Was nicht stimmt',
  value: 'Gesendet',
  emptyTitle: 'Die Quarantäne ist leer',
  emptyText:
    'Hier liegen Events, die nicht zu ihrer Deklaration passen, mit dem Grund. Aus diesem Zeitraum wartet keines.',
  all: 'Alle zeigen',
  filter: (text) => `Filter: ${text}`,
  replay: 'Diese wiederholen',
  stillRefused: (refused) =>
    `${refused} weiter abgelehnt: deklarieren Sie unten eine Version, die sie annimmt, mit „Deklarieren und wiederholen“`,
  replayed: (replayed, refused) => `${replayed} wiederholt, ${refused} weiter abgelehnt`,
  mend: 'Beheben und wiederholen',
  mendText:
    'Ändern Sie die Deklaration, bis die Proben passen, deklarieren Sie sie, und wiederholen Sie dann.',
  declaration: 'Deklaration (JSON Schema)',
  acceptText: (members) => `Als Text gesendete Ganzzahlen in ${members} annehmen`,
  retyped:
    'Als Text lässt sich das Feld nicht mehr summieren oder als Zahl vergleichen, und Clients der Version davor werden abgelehnt. Um als Text gesendete Ganzzahlen anzunehmen, behalten Sie `integer` mit `"format": "int64"`.',
  unchanged: 'Noch keine Änderung',
  checkAll: (passed, checked) => `${passed} von ${checked} Proben würden angenommen`,
  checkNewest: (passed, checked) => `${passed} der neuesten ${checked} Proben würden angenommen`,
  checkNone: 'Keine Probe wartet. Es gibt nichts zu prüfen.',
  checkHidden:
    'Ihre Rolle zeigt keine personenbezogenen Daten. Deshalb werden die Proben hier nicht geprüft: deklarieren Sie den Typ, und wiederholen Sie dann.',
  checkNamed: (events, version) =>
    `Proben, die Version ${version} nennen: ${events}. Eine Wiederholung prüft sie gegen diese Version, solange sie nicht stillgelegt ist.`,
  checkRetire: 'Stilllegen',
  checkShow: 'Zeigen',
  sums: 'Wiederholungen der letzten 24 Stunden',
  sumsText: 'Jedes abgelehnte Event zählt einmal. Die Zahlen folgen von selbst.',
  sumsWaiting: 'in Quarantäne',
  sumsQueued: 'wiederholt, unterwegs',
  sumsStored: 'gespeichert',
  sumsLeftOut: 'Wiederholungen oder unzustellbar',
  declare: 'Deklarieren und wiederholen',
  discardTitle: 'Diese Events verwerfen',
  discardText:
    'Alle aufbewahrten Events dieses Filters werden endgültig gelöscht. Sie lassen sich dann nicht mehr wiederholen.',
  discarded: (count) => `${counted(count, 'Event', 'Events')} verworfen`,
  fault: 'Der Fehler',
  body: 'Gesendeter Inhalt',
  hiddenBody: 'Der Inhalt ist personenbezogen. Ihre Rolle zeigt ihn nicht.',
  truncated: 'Nur der Anfang ist aufbewahrt.',
  sdk: 'SDK',
};
