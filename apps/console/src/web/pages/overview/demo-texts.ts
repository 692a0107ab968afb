import { defineTexts } from '../../texts/define-texts.ts';

export const demoTexts = defineTexts('demo', {
  title: 'No game at hand?',
  text: 'Ember Arena is a simulated game with a thousand players and a month of events. It plays in a project of its own, which you remove with one click.',
  start: 'Start the demo',
  open: 'Open Ember Arena',
  arrivingLabel: 'Past events of the demo',
  arriving: (sent: string, expected: string) => `${sent} of ${expected} past events sent, the newest first`,
  hereTitle: 'A tour of the demo',
  overviewText: 'Every accepted event is stored, repeated, dead or on its way: the sums prove it',
  liveText: 'Events of this second, with the lag and what was left out',
  newPlayers: 'Dashboard New players',
  newPlayersText: 'Step 4 of the tutorial loses a third of all players',
  stability: 'Dashboard Stability',
  stabilityText: 'Since yesterday, one build crashes on one graphics card',
  quarantineText: 'An old build sends levels as text: accept them with format int64, and replay',
  remove: 'Remove the demo',
  removing: 'Removing …',
});
