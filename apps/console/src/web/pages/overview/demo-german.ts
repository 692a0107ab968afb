import type { Words } from '../../texts/define-texts.ts';
import type { demoTexts } from './demo-texts.ts';

export const demoGerman: Words<typeof demoTexts> = {
  title: 'Kein Spiel zur Hand?',
  text: 'Ember Arena ist ein simuliertes Spiel mit tausend Spielern und den Events eines Monats. Es spielt in einem eigenen Projekt, das Sie mit einem Klick entfernen.',
  start: 'Demo starten',
  open: 'Ember Arena öffnen',
  arrivingLabel: 'Vergangene Events der Demo',
  arriving: (sent, expected) => `${sent} von ${expected} vergangenen Events gesendet, die neuesten zuerst`,
  hereTitle: 'Rundgang durch die Demo',
  overviewText:
    'Jedes angenommene Event ist gespeichert, wiederholt, unzustellbar oder unterwegs: Die Summen beweisen es',
  liveText: 'Events dieser Sekunde, mit Rückstand und dem, was ausgelassen wurde',
  newPlayers: 'Dashboard New players',
  newPlayersText: 'Schritt 4 des Tutorials verliert ein Drittel aller Spieler',
  stability: 'Dashboard Stability',
  stabilityText: 'Seit gestern stürzt eine Version des Spiels auf einer Grafikkarte ab',
  quarantineText:
    'Eine alte Version des Spiels sendet Level als Text: Nehmen Sie sie mit dem Format int64 an, und wiederholen Sie die Events',
  remove: 'Demo entfernen',
  removing: 'Wird entfernt …',
};
