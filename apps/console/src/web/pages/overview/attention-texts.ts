import { counted } from '../../texts/counted.ts';
import { defineTexts } from '../../texts/define-texts.ts';

/** What needs attention, and what to do about it. Overview and Pipeline show it. */
export const attentionTexts = defineTexts(
  {
    alarm: 'Alarm',
    warning: 'Warning',
    info: 'Note',
    steps: 'What to do, step by step',
    chapter: (title: string) => `More about it: docs/operations.md, “${title}”.`,
    unknownType: 'an unknown type',
    noEvents: 'No event has arrived yet',
    noEventsAdvice: 'Send the first one: the page shows the lines to copy.',
    eventsMissing: (count: string) =>
      counted(count, 'accepted event is missing', 'accepted events are missing'),
    eventsMissingAdvice:
      'Keep the queue and the databases as they are, and check whether one of them was restored from an older backup or lost writes.',
    deadLetters: (count: string) => counted(count, 'event is a dead letter', 'events are dead letters'),
    deadLettersAdvice:
      'ClickHouse refused their rows. Read the reason, mend its cause, then send them again.',
    rejectedEvents: (count: string, type: string, reason: string) =>
      counted(
        count,
        `event of ${type} was rejected · ${reason}`,
        `events of ${type} were rejected · ${reason}`,
      ),
    rejectedEventsAdvice: 'Mend the declaration of the type or the build that sends them, then replay.',
    insertsDelayed: (age: string) => `Events wait for ${age}`,
    insertsDelayedAdvice:
      'Nothing is lost: events wait in the queue. Check that workers run, that ClickHouse answers, and that its disk has space.',
    viewFault: (type: string) => `ClickHouse refuses the view of ${type}`,
    viewFaultAdvice:
      'Its events are stored, but queries by type do not see them. Declare a corrected version.',
    warehouseUnavailable: 'ClickHouse does not answer',
    warehouseUnavailableAdvice:
      'Nothing is lost: events wait in the queue. Start ClickHouse, or check its address and password.',
    diskFull: 'The disk of ClickHouse is nearly full',
    diskFullAdvice:
      'Less than a tenth is free. Enlarge the disk, or shorten the retention of projects in the settings.',
    queueFull: 'A lane of the queue is nearly full',
    queueFullAdvice:
      'Gateways refuse new events when it is full. Start more workers, or check that ClickHouse keeps up with them.',
  },
  {
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
    diskFull: 'Der Datenträger von ClickHouse ist fast voll',
    diskFullAdvice:
      'Weniger als ein Zehntel ist frei. Vergrößern Sie ihn, oder bewahren Sie Events kürzer auf (Einstellungen der Projekte).',
    queueFull: 'Eine Spur der Warteschlange ist fast voll',
    queueFullAdvice:
      'Ist sie voll, lehnen Gateways neue Events ab. Starten Sie mehr Worker, oder prüfen Sie, ob ClickHouse mitkommt.',
  },
);
