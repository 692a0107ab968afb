interface SavedQuery {
  readonly name: string;
  readonly sql: string;
}

export const queries: readonly SavedQuery[] = [
  {
    name: 'Crashes by build and graphics card',
    sql: `SELECT build, gpu, count() AS crashes, uniqExact(account_id) AS players
FROM crash
WHERE occurred >= now() - INTERVAL 7 DAY
GROUP BY build, gpu
ORDER BY crashes DESC
LIMIT 20`,
  },
  {
    name: 'Waiting time by hour and region, ranked queue',
    sql: `SELECT region, toHour(occurred) AS hour, round(avg(waited_seconds)) AS seconds, count() AS matches
FROM match_finished
WHERE queue = 'ranked' AND occurred >= now() - INTERVAL 30 DAY
GROUP BY region, hour
ORDER BY region, hour`,
  },
  {
    name: 'Tutorial, step by step',
    // Each player passes a step once, and a link to the dashboard shows no accounts.
    sql: `SELECT step, count() AS players, round(avg(seconds)) AS seconds
FROM tutorial_step
GROUP BY step
ORDER BY step`,
  },
  {
    name: 'Spending by player',
    sql: `SELECT account_id, sum(price_cents) / 100 AS euros, count() AS purchases
FROM purchase
GROUP BY account_id
ORDER BY euros DESC
LIMIT 50`,
  },
  {
    name: 'Frames per second by graphics card',
    sql: `SELECT gpu, round(avg(frames_per_second), 1) AS average, quantile(0.05)(frames_per_second) AS slowest
FROM client_performance
WHERE occurred >= now() - INTERVAL 7 DAY
GROUP BY gpu
ORDER BY average`,
  },
  {
    name: 'Win rate by character and map',
    sql: `SELECT character, map, round(avg(won), 3) AS won, count() AS matches
FROM match_finished
GROUP BY character, map
ORDER BY won DESC`,
  },
];

interface Tile {
  readonly title: string;
  readonly chart: 'table' | 'line' | 'bar' | 'number' | 'funnel' | 'retention';
  readonly columns: number;
  /** The default is the first free place, with the height of the chart. */
  readonly position?: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
  readonly analysis?: { readonly name: string; readonly parameters: object };
  readonly query?: string;
}

interface Dashboard {
  readonly name: string;
  readonly description: string;
  /** The range that it opens with. */
  readonly days: number;
  readonly tiles: readonly Tile[];
}

const tutorialFunnel = {
  steps: [1, 2, 3, 4, 5, 6].map((value) => ({
    type: 'tutorial_step',
    where: [{ member: 'step', is: 'equal', value }],
  })),
  windowSeconds: 3_600,
};

export const dashboards: readonly Dashboard[] = [
  {
    name: 'Ember Arena at a glance',
    description: 'Who plays, how long, and on what',
    days: 7,
    tiles: [
      tile('Players per day', 'line', { name: 'players', parameters: { per: 'day' } }),
      tile('Events per hour', 'line', { name: 'volume', parameters: { per: 'hour' } }),
      tile('Length of sessions', 'line', { name: 'session-length', parameters: {} }),
      tile('Platforms', 'bar', {
        name: 'breakdown',
        parameters: { type: 'session_start', member: 'platform' },
      }),
    ],
  },
  {
    name: 'New players',
    description: 'Where players give up in the tutorial, and who comes back',
    days: 30,
    tiles: [
      { ...tile('Tutorial', 'funnel', { name: 'funnel', parameters: tutorialFunnel }), columns: 4 },
      {
        ...tile('Retention', 'retention', { name: 'retention', parameters: { per: 'day', periods: 14 } }),
        columns: 8,
      },
      {
        ...query('Steps of the tutorial', 'table', 'Tutorial, step by step'),
        columns: 12,
        // Six rows fill it.
        position: { x: 0, y: 8, width: 12, height: 6 },
      },
    ],
  },
  {
    name: 'Stability',
    description: 'Crashes and frame rates by build and graphics card',
    days: 7,
    tiles: [
      tile('Crashes per hour, by build', 'line', {
        name: 'volume',
        parameters: { per: 'hour', types: ['crash'], split: { member: 'build' } },
      }),
      tile('Crashes by graphics card', 'bar', {
        name: 'breakdown',
        parameters: { type: 'crash', member: 'gpu' },
      }),
      query('Crashes by build and graphics card', 'table', 'Crashes by build and graphics card'),
      query('Frames per second', 'bar', 'Frames per second by graphics card'),
    ],
  },
  {
    name: 'Matches and money',
    description: 'Waiting times, queues and purchases',
    days: 30,
    tiles: [
      query('Waiting time, ranked', 'line', 'Waiting time by hour and region, ranked queue'),
      tile('Queues', 'bar', { name: 'breakdown', parameters: { type: 'match_queued', member: 'queue' } }),
      tile('Purchases per day', 'line', { name: 'volume', parameters: { per: 'day', types: ['purchase'] } }),
      query('Biggest spenders', 'table', 'Spending by player'),
    ],
  },
];

function tile(title: string, chart: Tile['chart'], analysis: NonNullable<Tile['analysis']>): Tile {
  return { title, chart, columns: 6, analysis };
}

function query(title: string, chart: Tile['chart'], name: string): Tile {
  return { title, chart, columns: 6, query: name };
}

interface TourStop {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Below the page of the project. `{name}` stands for the id of the dashboard with that name. */
  readonly path: string;
}

export const tour: readonly TourStop[] = [
  {
    id: 'overview',
    title: 'Overview',
    text: 'Every accepted event is stored, repeated, dead or on its way: the sums prove it',
    path: 'overview?range=1h',
  },
  {
    id: 'live',
    title: 'Live',
    text: 'Events of this second, with the lag and what was left out',
    path: 'live',
  },
  {
    id: 'newPlayers',
    title: 'New players',
    text: 'Step 4 of the tutorial loses a third of all players',
    path: 'dashboards/{New players}?range=30d',
  },
  {
    id: 'stability',
    title: 'Stability',
    text: 'Since yesterday, one build crashes on one graphics card',
    path: 'dashboards/{Stability}?range=7d',
  },
  {
    id: 'quarantine',
    title: 'Quarantine',
    text: 'An old build sends levels as text: accept them with format int64, and replay',
    path: 'quarantine?range=1h',
  },
];
