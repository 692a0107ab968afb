import { counted, type Words } from '../../texts/define-texts.ts';
import type { faultAdvice } from './result/fault-advice.ts';
import type { sqlTexts } from './sql-texts.ts';

export const sqlGerman: Words<typeof sqlTexts> = {
  tabs: 'Abfragen',
  tab: (number: string) => `Abfrage ${number}`,
  newTab: 'Neue Abfrage',
  closeTab: (name: string) => `${name} schließen`,
  editor: 'SQL-Abfrage',
  run: 'Ausführen',
  runKey: 'Strg + Eingabe',
  noRange: 'Zeitraum nicht verwendet: kein {from:DateTime}',
  running: (seconds: string) => `Läuft seit ${seconds} s …`,
  cancelled: 'Abgebrochen. Die Abfrage läuft auch in ClickHouse nicht mehr.',
  copyLink: 'Link kopieren',
  linkCopied: 'Der Link zu dieser Abfrage ist kopiert',
  saveTitle: 'Abfrage speichern',
  saveUpdate: 'Gespeicherte Abfrage ersetzen',
  saveNew: 'Als neue Abfrage speichern',
  parameters: 'Parameter',
  ofRange: 'Zeitraum der Seite',
  listHelp: 'Werte mit Kommas, oder eine JSON-Liste',
  browser: 'Tabellen und Abfragen',
  tables: 'Tabellen',
  history: 'Verlauf',
  filterTables: 'Tabellen und Spalten filtern',
  noTables: 'Keine Tabelle oder Spalte hat das im Namen.',
  insert: (name: string) => `${name} einfügen`,
  noSaved: 'Noch keine gespeicherten Abfragen. „Speichern“ behält eine Abfrage für alle im Projekt.',
  noHistory: 'Hier stehen Ihre ausgeführten Abfragen. Sie bleiben in diesem Browser.',
  clearHistory: 'Verlauf leeren',
  removeSaved: (name: string) => `${name} löschen`,
  removeTitle: 'Gespeicherte Abfrage löschen',
  removeText:
    'Sie wird für alle im Projekt gelöscht. Kacheln von Dashboards, die sie zeigen, bleiben dann leer.',
  failed: 'Fehlgeschlagen',
  stopped: 'Abgebrochen',
  closed: 'Geschlossen',
  result: 'Ergebnis',
  emptyTitle: 'Führen Sie eine Abfrage aus',
  emptyText:
    'Hier erscheint die Antwort. Eine Zeitspalte mit Zahlen wird eine Linie, Namen mit Zahlen werden Balken.',
  noRows: 'Keine Zeilen',
  noRowsText: 'Die Abfrage lief, aber keine Zeile passt zu ihren Bedingungen.',
  shownAs: 'Ansicht',
  chart: 'Diagramm',
  table: 'Tabelle',
  export: 'Export',
  rowCount: (rows, time) => `${counted(rows, 'Zeile', 'Zeilen')} in ${time}`,
  costRows: (rows: string) => `≤ ${rows} gelesen`,
  costMs: (time: string) => `${time} in ClickHouse`,
  costHelp:
    'Zeilen, und die Zeit, bis sie hier waren. Zeilen des Projekts in den Tabellen der Abfrage: Höchstens so viele las ClickHouse. Zeit in ClickHouse.',
  isCut: (rows: string) =>
    `Nur die ersten ${rows} Zeilen: Mehr fasst eine Seite nicht. Ergänzen Sie ein LIMIT, oder exportieren Sie alles als Parquet.`,
  parquet: 'Parquet, läuft noch einmal',
  exportFailed: 'Der Export ist fehlgeschlagen. Führen Sie die Abfrage aus, um den Grund zu sehen.',
  brokenOff:
    'Die Antwort brach vor ihrem Ende ab: ClickHouse beendete die laufende Abfrage, oder die Verbindung riss ab. Lesen Sie weniger Zeilen, oder führen Sie sie noch einmal aus.',
  unavailable:
    'ClickHouse antwortet nicht, oder kann Abfragen nicht auf dieses Projekt begrenzen. Die Abfrage bleibt erhalten. Bleibt es so, findet ein Betreiber die Ursache mit `tickrate doctor`.',
  busy: 'Das Projekt führt schon so viele Abfragen aus, wie es darf, oder seine Abfragezeit für zehn Minuten ist verbraucht. Die Abfrage bleibt erhalten.',
  busyUntil: (seconds: string) => `Die nächste Abfrage kann in ${seconds} s laufen.`,
  faultPlace: (line: string, column: string) => `Zeile ${line}, Spalte ${column}`,
  showPlace: 'In der Abfrage zeigen',
  row: (number: string) => `Zeile ${number}`,
  example: 'Events je Stunde und Typ, im Zeitraum der Seite',
};

export const faultAdviceGerman: Words<typeof faultAdvice> = {
  syntax:
    'Die Abfrage ist nicht lesbar. Prüfen Sie die markierte Stelle: Vielleicht fehlt ein Komma, eine Klammer oder ein Anführungszeichen.',
  notSelect: 'Hier läuft nur ein SELECT. Mit SQL lässt sich nichts ändern.',
  table:
    'Diese Tabelle hat das Projekt nicht. Links stehen die Tabellen. Vor einen Typ mit Punkt im Namen gehört die Datenbank.',
  function:
    'Der Name ist falsch geschrieben, oder die Funktion kann mehr als rechnen und ist nicht erlaubt. Die Vervollständigung zeigt die erlaubten.',
  settings: 'Entfernen Sie SETTINGS. Die Grenzen der Abfragen sind für alle gleich.',
  name: 'Ein Name in Anführungszeichen hat ein unerlaubtes Zeichen oder nennt eine verborgene Spalte. Verwenden Sie einen anderen.',
  construct: 'Dieser Teil von SQL gilt hier nicht als sicher. Schreiben Sie die Abfrage ohne ihn.',
  parameter: 'Füllen Sie unter der Abfrage jeden Parameter mit einem Wert seines Typs.',
  sql: 'ClickHouse kann die Abfrage nicht ausführen. Vergleichen Sie Namen und Typen mit den Tabellen links. Ohne das Recht dazu fehlen Spalten mit personenbezogenen Daten.',
  tooLong:
    'Eine Abfrage hat 30 Sekunden. Lesen Sie weniger Events: Ergänzen Sie eine Bedingung auf `occurred`.',
  tooManyRows:
    'Lesen oder liefern Sie weniger Zeilen: Ergänzen Sie eine Bedingung auf `occurred` oder ein LIMIT.',
  tooMuchMemory:
    'Eine Abfrage hat 1 GiB Speicher. Gruppieren Sie nach weniger Werten, oder ergänzen Sie eine Bedingung auf `occurred`.',
};
