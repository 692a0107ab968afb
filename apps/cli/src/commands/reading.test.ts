import { codeLanguages } from '@tickrate/events';
import { expect, test } from 'vitest';
import { type Asked, runAgainst } from '../command-harness.ts';

const nowMs = Date.UTC(2026, 10, 21, 9);

interface Stored {
  readonly event_id: string;
  readonly received: string;
}

function stored(number: number, agoMs: number): Stored {
  return {
    event_id: `0199aaaa-0000-7000-8000-${String(number).padStart(12, '0')}`,
    received: clickHouseTime(nowMs - agoMs),
  };
}

function clickHouseTime(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
}

test('tail prints each event once, also if a millisecond has more events than a page', async () => {
  const batch = Array.from({ length: 2_500 }, (_, n) => stored(n, 30 * 60_000));
  const all = [stored(9_000, 2 * 3_600_000), ...batch, stored(9_001, 5_000)];
  const late = stored(9_002, 6_000);
  let calls = 0;
  function answer({ body }: Asked) {
    calls += 1;
    if (calls === 4) all.splice(-1, 0, late);
    const { parameters } = body as { parameters: { since: string; after: string } };
    const since = clickHouseTime(Number(parameters.since));
    const isAfter = ({ received, event_id: id }: Stored) =>
      received > since || (received === since && id >= parameters.after);
    return { data: all.filter(isAfter).slice(0, 1_000) };
  }
  const { out } = await runAgainst(answer, ['tail', '--since', '1h', '--count', '2502', '--json'], { nowMs });
  const printed = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event_id);
  expect(printed).toEqual([...batch, all.at(-1), late].map((event) => event?.event_id));
});

const boss = [
  { member: 'won', is: 'equal', value: true },
  { member: 'party', is: 'greaterOrEqual', value: 2 },
];

test.each([
  ['volume', ['--per', 'hour', '--type', 'kill'], { per: 'hour', types: ['kill'] }],
  ['players', [], { per: 'day' }],
  ['session-length', [], {}],
  [
    'funnel',
    ['--step', 'tutorial', '--step', 'boss  won==true party>=2 name="Ann \\"A\\" Lee"', '--window', '2h'],
    {
      steps: [
        { type: 'tutorial', where: [] },
        { type: 'boss', where: [...boss, { member: 'name', is: 'equal', value: 'Ann "A" Lee' }] },
      ],
      windowSeconds: 7_200,
    },
  ],
  ['retention', ['--per', 'week', '--periods', '4'], { per: 'week', periods: 4 }],
  [
    'breakdown',
    ['kill', 'boss.name', '--where', 'zone!="7"', '--count', '5'],
    {
      type: 'kill',
      member: 'boss.name',
      where: [{ member: 'zone', is: 'notEqual', value: '7' }],
      mostValues: 5,
    },
  ],
  ['player', ['u-1'], { accountId: 'u-1' }],
])('analyse %s covers a week by default, and sends its options', async (name, args, body) => {
  const results = [{ at: 'now', events: 2, value: null }];
  const { asked, out } = await runAgainst(() => ({ results }), ['analyse', name, ...args], { nowMs });
  expect(asked).toMatchObject([{ method: 'POST', path: `/v1/analyses/${name}` }]);
  const week = { from: '2026-11-14T09:00:00.000Z', to: '2026-11-21T09:00:00.000Z' };
  expect(asked[0]?.body).toEqual({ ...week, ...body });
  expect(out).toBe('at   events  value\nnow  2       -\n');
});

test.each([
  [['--from', 'yesterday'], '--from: expected a time'],
  [['--step', 'kill level~3'], 'is not a condition'],
  [['--step', 'kill', '--window', '2 hours'], '--window: expected a duration'],
  [['--periods', '3'], '--periods'],
])('analyse funnel refuses %j and sends no request', async (args, complaint) => {
  const { asked, ...outcome } = await runAgainst(() => null, ['analyse', 'funnel', ...args], { nowMs });
  expect([asked, outcome]).toEqual([
    [],
    { code: 64, out: '', complaint: expect.stringContaining(complaint) },
  ]);
});

test('event types are printed as code in the languages of the API, under the same names', async () => {
  const asked: (string | null)[] = [];
  const answer = ({ path }: Asked) => {
    asked.push(new URL(path, 'http://console').searchParams.get('language'));
    return { language: '', fileName: '', code: 'code\n' };
  };
  const print = (...language: string[]) =>
    runAgainst(answer, ['event-types', 'code', 'kill', ...language], { nowMs });
  expect((await print()).out).toBe('code\n');
  for (const language of codeLanguages) await print('--language', language);
  expect(asked).toEqual(['typescript', ...codeLanguages]);
  for (const short of ['ts', 'cs']) expect((await print('--language', short)).code).not.toBe(0);
});

test('overview prints the figures of the last hours and what needs attention', async () => {
  const asked: string[] = [];
  const attention = [
    {
      kind: 'rejectedEvents',
      severity: 'warning',
      count: 7,
      target: { page: 'quarantine', kind: 'rejected', type: 'level_up', reason: 'range' },
    },
  ];
  const overview = {
    activity: { players: 4, types: [{ events: 20 }, { events: 3 }] },
    signIns: { completed: 5, refused: 1 },
    rejections: { events: 7 },
    delivery: { p99Seconds: 0.314 },
    attention,
  };
  const answer = ({ path }: Asked) => {
    asked.push(path);
    return overview;
  };
  const { out } = await runAgainst(answer, ['overview', '--hours', '24'], { nowMs });
  expect(asked).toEqual(['/v1/overview?hours=24']);
  expect(out).toMatch(/^23 +4 +5 +1 +7 +0\.31$/m);
  expect(out).toMatch(/^warning +rejectedEvents +7 +level_up +range$/m);
});
