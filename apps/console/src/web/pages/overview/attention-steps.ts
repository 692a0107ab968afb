import type { Language } from '../../texts/define-texts.ts';

interface Steps {
  /** The chapter of docs/operations.md with the background, in the language of the documents. */
  readonly chapter: string | null;
  /** Commands and names stand between backticks. */
  readonly steps: Readonly<Record<Language, readonly string[]>>;
}

/** What to do about each alarm, in the order in which it helps. */
export const attentionSteps = {
  eventsMissing: {
    chapter: 'Events are missing',
    steps: {
      en: [
        'Find the time: the worker logs `accepted events are missing` with the projects.',
        'Check the queue. Redis needs `appendfsync always` and `maxmemory-policy noeviction`, and must not be restored to an older state.',
        'If your servers can send the events again, send them with their `Idempotency-Key`. Events that are stored are recognised for 24 hours.',
        'Tickrate cannot bring lost events back. The number stays, so that nobody overlooks it.',
      ],
      de: [
        'Finden Sie den Zeitpunkt: Der Worker protokolliert `accepted events are missing` mit den Projekten.',
        'Prüfen Sie die Warteschlange. Redis braucht `appendfsync always` und `maxmemory-policy noeviction` und darf nicht auf einen älteren Stand gesetzt werden.',
        'Können Ihre Server die Events noch einmal senden, dann mit ihrem `Idempotency-Key`. Gespeicherte werden 24 Stunden lang erkannt.',
        'Verlorene Events kann Tickrate nicht zurückholen. Die Zahl bleibt stehen, damit niemand sie übersieht.',
      ],
    },
  },
  deadLetters: {
    chapter: 'Rows are refused',
    steps: {
      en: [
        'Open the dead letters and read the reason: a number and a sentence of ClickHouse.',
        'If somebody changed a table by hand, undo that. Otherwise report the reason as a bug of Tickrate.',
        'When ClickHouse accepts the rows again, choose “Send again” on Pipeline, or run `npm run tickrate -- quarantine replay --kind dead`. Each event is stored once.',
      ],
      de: [
        'Öffnen Sie die unzustellbaren Events und lesen Sie den Grund: eine Nummer und ein Satz von ClickHouse.',
        'Hat jemand eine Tabelle von Hand geändert, machen Sie das rückgängig. Sonst melden Sie den Grund als Fehler von Tickrate.',
        'Nimmt ClickHouse die Zeilen wieder an, wählen Sie „Noch einmal senden“ auf der Seite Pipeline, oder starten Sie `npm run tickrate -- quarantine replay --kind dead`. Jedes Event wird einmal gespeichert.',
      ],
    },
  },
  rejectedEvents: {
    chapter: null,
    steps: {
      en: [
        'Open the quarantine: it shows the events with the fault marked.',
        'If the events are right, edit the declaration beside them. The page counts how many of them would pass.',
        'Choose “Declare and replay”. If the events are wrong, mend the game instead: they stay out of your figures.',
      ],
      de: [
        'Öffnen Sie die Quarantäne: Sie zeigt die Events mit dem markierten Fehler.',
        'Sind die Events richtig, bearbeiten Sie daneben die Deklaration. Die Seite zählt, wie viele dann durchkämen.',
        'Wählen Sie „Deklarieren und wiederholen“. Sind die Events falsch, richten Sie das Spiel: Ihre Zahlen enthalten sie nicht.',
      ],
    },
  },
  insertsDelayed: {
    chapter: 'The queue fills up',
    steps: {
      en: [
        'Look at the workers on Pipeline. If none reports, start one and read its log.',
        'If ClickHouse does not answer or its disk is full, mend that first.',
        'If inserts are slow, look at the parts of the fullest partition and at heavy queries. More CPU for ClickHouse or a longer `BATCH_AGE` helps.',
        'Otherwise start another worker.',
      ],
      de: [
        'Sehen Sie auf der Seite Pipeline nach den Workern. Meldet sich keiner, starten Sie einen und lesen Sie sein Protokoll.',
        'Antwortet ClickHouse nicht oder ist sein Datenträger voll, beheben Sie das zuerst.',
        'Dauert das Einfügen lange, sehen Sie nach den Teilen der vollsten Partition und nach schweren Abfragen. Mehr CPU für ClickHouse oder ein längeres `BATCH_AGE` hilft.',
        'Sonst starten Sie einen weiteren Worker.',
      ],
    },
  },
  viewFault: {
    chapter: 'ClickHouse rejects a view',
    steps: {
      en: [
        'Open the event type: it shows why ClickHouse rejects the view.',
        'If the declaration is the cause, for example by too many members, declare a version with fewer. The worker tries again at once.',
        'If ClickHouse is the cause, for example a missing right or a full disk, mend it. The worker tries again within 10 minutes.',
      ],
      de: [
        'Öffnen Sie den Event-Typ: Er zeigt, warum ClickHouse die Ansicht ablehnt.',
        'Liegt es an der Deklaration, zum Beispiel an zu vielen Feldern, deklarieren Sie eine Version mit weniger. Der Worker versucht es sofort wieder.',
        'Liegt es an ClickHouse, zum Beispiel an einem fehlenden Recht oder einem vollen Datenträger, beheben Sie das. Der Worker versucht es innerhalb von 10 Minuten wieder.',
      ],
    },
  },
  warehouseUnavailable: {
    chapter: 'The queue fills up',
    steps: {
      en: [
        'Check whether ClickHouse runs, and read its log. `npm start` restarts the embedded one by itself.',
        'Check its address and password in the configuration of the workers and of the console.',
        'Nothing else is needed: workers store the waiting events when it answers again.',
      ],
      de: [
        'Prüfen Sie, ob ClickHouse läuft, und lesen Sie sein Protokoll. `npm start` startet das eingebettete selbst neu.',
        'Prüfen Sie Adresse und Passwort in der Konfiguration der Worker und der Konsole.',
        'Mehr ist nicht nötig: Worker speichern die wartenden Events, sobald es wieder antwortet.',
      ],
    },
  },
  diskFull: {
    chapter: 'A disk of the stores is nearly full',
    steps: {
      en: [
        'Free disk space at once: delete files of other programs, or enlarge the volume. Gateways refuse new events when it is full.',
        'Shorten the retention of projects in the settings, under “Limits and retention”.',
        'Gateways then accept events again automatically. No event that was answered with 200 is lost.',
      ],
      de: [
        'Schaffen Sie sofort Platz: Entfernen Sie, was nicht zu Tickrate gehört, oder vergrößern Sie den Datenträger. Ist er voll, lehnen Gateways neue Events ab.',
        'Bewahren Sie Events kürzer auf: in den Einstellungen der Projekte unter „Grenzen und Aufbewahrung“.',
        'Gateways nehmen Events von selbst wieder an. Kein Event, das mit 200 beantwortet wurde, geht verloren.',
      ],
    },
  },
  queueFull: {
    chapter: 'The queue fills up',
    steps: {
      en: [
        'Look at the workers on Pipeline. If none reports, start one and read its log.',
        'If ClickHouse does not answer or its disk is full, mend that first.',
        'If workers and ClickHouse are well, start another worker.',
        'At 70 % gateways refuse new events with 503 until the queue is below 60 %. SDKs keep them and send them again.',
      ],
      de: [
        'Sehen Sie auf der Seite Pipeline nach den Workern. Meldet sich keiner, starten Sie einen und lesen Sie sein Protokoll.',
        'Antwortet ClickHouse nicht oder ist sein Datenträger voll, beheben Sie das zuerst.',
        'Geht es Workern und ClickHouse gut, starten Sie einen weiteren Worker.',
        'Bei 70 % lehnen Gateways neue Events mit 503 ab, bis die Warteschlange unter 60 % ist. SDKs behalten sie und senden sie noch einmal.',
      ],
    },
  },
} as const satisfies Readonly<Record<string, Steps>>;
