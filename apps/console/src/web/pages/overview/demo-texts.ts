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
    hereTitle: 'This project is the demo: a tour',
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
    hereTitle: 'Dieses Projekt ist die Demo: ein Rundgang',
    remove: 'Demo entfernen',
    removing: 'Wird entfernt …',
  },
);
