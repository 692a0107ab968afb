import { defineTexts } from '../../texts/define-texts.ts';

/** The simulated game. */
export const demoTexts = defineTexts(
  {
    title: 'No game at hand?',
    text: 'Ember Arena is a simulated game with 600 players and a month of events. It plays in a project of its own, which you remove with one click.',
    start: 'Start the demo',
    open: 'Open Ember Arena',
    arrivingLabel: 'Past events of the demo',
    arriving: (sent: string, expected: string) => `${sent} of ${expected} past events sent, the newest first`,
    failed: 'The demo stopped. The log of the console says why. Start it again to continue.',
    hereTitle: 'A tour of the demo',
    overview: 'Overview',
    overviewText: 'Every accepted event is stored, repeated, dead or on its way: the sums prove it',
    live: 'Live',
    liveText: 'Events of this second, with the lag and what was left out',
    newPlayers: 'Dashboard New players',
    newPlayersText: 'Step 4 of the tutorial loses a third of all players',
    stability: 'Dashboard Stability',
    stabilityText: 'Since yesterday, one build crashes on one graphics card',
    quarantine: 'Quarantine',
    quarantineText: 'An old build sends levels as text: accept them with format int64, and replay',
    remove: 'Remove the demo',
    removing: 'Removing …',
  },
  {
    title: 'Kein Spiel zur Hand?',
    text: 'Ember Arena ist ein simuliertes Spiel mit 600 Spielern und den Events eines Monats. Es spielt in einem eigenen Projekt, das Sie mit einem Klick entfernen.',
    start: 'Demo starten',
    open: 'Ember Arena öffnen',
    arrivingLabel: 'Vergangene Events der Demo',
    arriving: (sent, expected) => `${sent} von ${expected} vergangenen Events gesendet, die neuesten zuerst`,
    failed:
      'Die Demo wurde unterbrochen. Das Protokoll der Konsole sagt, warum. Starten Sie sie noch einmal.',
    hereTitle: 'Rundgang durch die Demo',
    overview: 'Übersicht',
    overviewText:
      'Jedes angenommene Event ist gespeichert, wiederholt, unzustellbar oder unterwegs: Die Summen beweisen es',
    live: 'Live',
    liveText: 'Events dieser Sekunde, mit Rückstand und dem, was ausgelassen wurde',
    newPlayers: 'Dashboard New players',
    newPlayersText: 'Schritt 4 des Tutorials verliert ein Drittel aller Spieler',
    stability: 'Dashboard Stability',
    stabilityText: 'Seit gestern stürzt eine Version des Spiels auf einer Grafikkarte ab',
    quarantine: 'Quarantäne',
    quarantineText:
      'Eine alte Version des Spiels sendet Level als Text: Nehmen Sie sie mit dem Format int64 an, und wiederholen Sie die Events',
    remove: 'Demo entfernen',
    removing: 'Wird entfernt …',
  },
);
