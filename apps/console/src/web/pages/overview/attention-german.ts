import { counted, type Words } from '../../texts/define-texts.ts';
import type { attentionSteps } from './attention-steps.ts';
import type { attentionTexts } from './attention-texts.ts';

export const attentionGerman: Words<typeof attentionTexts> = {
  alarm: 'Alarm',
  warning: 'Warnung',
  info: 'Hinweis',
  steps: 'Was zu tun ist, Schritt für Schritt',
  chapter: (title) => `Mehr dazu: docs/operations.md, „${title}“.`,
  unknownType: 'einem unbekannten Typ',
  noEvents: 'Noch kein Event ist angekommen',
  noEventsAdvice: 'Senden Sie das erste: Die Seite zeigt die Zeilen zum Kopieren.',
  eventsMissing: (count) => counted(count, 'angenommenes Event fehlt', 'angenommene Events fehlen'),
  eventsMissingAdvice:
    'Lassen Sie Warteschlange und Datenbanken, wie sie sind, und prüfen Sie, ob eine aus einer älteren Sicherung stammt oder Daten verloren hat.',
  deadLetters: (count) => counted(count, 'Event ist unzustellbar', 'Events sind unzustellbar'),
  deadLettersAdvice:
    'ClickHouse hat ihre Zeilen abgelehnt. Lesen Sie den Grund, beheben Sie ihn, und senden Sie sie noch einmal.',
  rejectedEvents: (count, type, reason) =>
    counted(
      count,
      `Event von ${type} wurde abgelehnt · ${reason}`,
      `Events von ${type} wurden abgelehnt · ${reason}`,
    ),
  rejectedEventsAdvice:
    'Ändern Sie die Deklaration des Typs oder das Spiel, das sie sendet, und wiederholen Sie sie dann.',
  insertsDelayed: (age) => `Events warten seit ${age}`,
  insertsDelayedAdvice:
    'Nichts geht verloren: Events warten in der Warteschlange. Prüfen Sie, ob Worker laufen, ob ClickHouse antwortet, und ob Platz auf seinem Datenträger ist.',
  viewFault: (type) => `ClickHouse lehnt die Ansicht von ${type} ab`,
  viewFaultAdvice:
    'Die Events sind gespeichert, aber Abfragen nach dem Typ sehen sie nicht. Deklarieren Sie eine berichtigte Version.',
  warehouseUnavailable: 'ClickHouse antwortet nicht',
  warehouseUnavailableAdvice:
    'Nichts geht verloren: Events warten in der Warteschlange. Starten Sie ClickHouse, oder prüfen Sie Adresse und Passwort.',
  queueUnavailable: 'Die Warteschlange oder ein Teil von ihr antwortet nicht',
  queueUnavailableAdvice:
    'Gateways nutzen die Teile, die antworten, und lehnen Events ab, solange keiner antwortet. Starten Sie Redis, oder prüfen Sie die Adresse.',
  diskFull: 'Der Datenträger von ClickHouse ist fast voll',
  diskFullAdvice:
    'Weniger als ein Zehntel ist frei. Vergrößern Sie ihn, oder bewahren Sie Events kürzer auf (Einstellungen der Projekte).',
  queueFull: 'Eine Spur der Warteschlange ist fast voll',
  queueFullAdvice:
    'Ist sie voll, lehnen Gateways neue Events ab. Starten Sie mehr Worker, oder prüfen Sie, ob ClickHouse mitkommt.',
};

/** What to do about each alarm, step by step. */
export const stepsGerman: Readonly<Record<keyof typeof attentionSteps, readonly string[]>> = {
  eventsMissing: [
    'Finden Sie den Zeitpunkt: Der Worker protokolliert `accepted events are missing` mit den Projekten.',
    'Prüfen Sie die Warteschlange. Redis braucht `appendfsync always` und `maxmemory-policy noeviction` und darf nicht auf einen älteren Stand gesetzt werden.',
    'Können Ihre Server die Events noch einmal senden, dann mit ihrem `Idempotency-Key`. Gespeicherte werden 24 Stunden lang erkannt.',
    'Verlorene Events kann Tickrate nicht zurückholen. Die Zahl bleibt stehen, damit niemand sie übersieht.',
  ],
  deadLetters: [
    'Öffnen Sie die unzustellbaren Events und lesen Sie den Grund: eine Nummer und ein Satz von ClickHouse.',
    'Hat jemand eine Tabelle von Hand geändert, machen Sie das rückgängig. Sonst melden Sie den Grund als Fehler von Tickrate.',
    'Nimmt ClickHouse die Zeilen wieder an, wählen Sie „Noch einmal senden“ auf der Seite Pipeline, oder starten Sie `npm run tickrate -- quarantine replay --kind dead`. Jedes Event wird einmal gespeichert.',
  ],
  rejectedEvents: [
    'Öffnen Sie die Quarantäne: Sie zeigt die Events mit dem markierten Fehler.',
    'Sind die Events richtig, bearbeiten Sie daneben die Deklaration. Die Seite zählt, wie viele dann durchkämen.',
    'Wählen Sie „Deklarieren und wiederholen“. Sind die Events falsch, richten Sie das Spiel: Ihre Zahlen enthalten sie nicht.',
  ],
  insertsDelayed: [
    'Sehen Sie auf der Seite Pipeline nach den Workern. Meldet sich keiner, starten Sie einen und lesen Sie sein Protokoll.',
    'Antwortet ClickHouse nicht oder ist sein Datenträger voll, beheben Sie das zuerst.',
    'Dauert das Einfügen lange, sehen Sie nach den Teilen der vollsten Partition und nach schweren Abfragen. Mehr CPU für ClickHouse oder ein längeres `BATCH_AGE` hilft.',
    'Sonst starten Sie einen weiteren Worker.',
  ],
  viewFault: [
    'Öffnen Sie den Event-Typ: Er zeigt, warum ClickHouse die Ansicht ablehnt.',
    'Liegt es an der Deklaration, zum Beispiel an zu vielen Feldern, deklarieren Sie eine Version mit weniger. Der Worker versucht es sofort wieder.',
    'Liegt es an ClickHouse, zum Beispiel an einem fehlenden Recht oder einem vollen Datenträger, beheben Sie das. Der Worker versucht es innerhalb von 10 Minuten wieder.',
  ],
  warehouseUnavailable: [
    'Prüfen Sie, ob ClickHouse läuft, und lesen Sie sein Protokoll. `npm start` startet das eingebettete selbst neu.',
    'Prüfen Sie Adresse und Passwort in der Konfiguration der Worker und der Konsole.',
    'Mehr ist nicht nötig: Worker speichern die wartenden Events, sobald es wieder antwortet.',
  ],
  queueUnavailable: [
    'Prüfen Sie, ob jedes Redis in `QUEUE_URL` läuft, und lesen Sie sein Protokoll.',
    'Starten Sie es mit demselben Verzeichnis: Was es angenommen hat, liegt dort. Ersetzen Sie es nicht durch ein leeres.',
    'Mehr ist nicht nötig: SDKs senden abgelehnte Events erneut, und Worker speichern die wartenden.',
  ],
  diskFull: [
    'Schaffen Sie sofort Platz: Entfernen Sie, was nicht zu Tickrate gehört, oder vergrößern Sie den Datenträger. Ist er voll, lehnen Gateways neue Events ab.',
    'Bewahren Sie Events kürzer auf: in den Einstellungen der Projekte unter „Grenzen und Aufbewahrung“.',
    'Gateways nehmen Events von selbst wieder an. Kein Event, das mit 200 beantwortet wurde, geht verloren.',
  ],
  queueFull: [
    'Sehen Sie auf der Seite Pipeline nach den Workern. Meldet sich keiner, starten Sie einen und lesen Sie sein Protokoll.',
    'Antwortet ClickHouse nicht oder ist sein Datenträger voll, beheben Sie das zuerst.',
    'Geht es Workern und ClickHouse gut, starten Sie einen weiteren Worker.',
    'Bei 70 % lehnen Gateways neue Events mit 503 ab, bis die Warteschlange unter 60 % ist. SDKs behalten sie und senden sie noch einmal.',
  ],
};
