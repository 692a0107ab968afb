import { expect, test } from 'vitest';
import { analysisCommands } from './analysis-commands.ts';
import type { ApiRequest } from './api.ts';
import { runnerAt } from './command-harness.ts';
import { tailCommand } from './tail-command.ts';

const nowMs = Date.UTC(2026, 10, 21, 9);

interface Stored {
  readonly event_id: string;
  readonly received: string;
}

function stored(number: number, agoMs: number): Stored {
  const received = new Date(nowMs - agoMs).toISOString().replace('T', ' ').replace('Z', '');
  return { event_id: `0199aaaa-0000-7000-8000-${String(number).padStart(12, '0')}`, received };
}

const run = runnerAt(nowMs);

test('tail tells each event since a time once, also of more in a millisecond than come at a time', async () => {
  const batch = Array.from({ length: 2_500 }, (_, n) => stored(n, 30 * 60_000));
  const all = [stored(9_000, 2 * 3_600_000), ...batch, stored(9_001, 5_000)];
  const late = stored(9_002, 6_000);
  let calls = 0;
  const call = async <T>({ body }: ApiRequest): Promise<T> => {
    calls += 1;
    if (calls === 4) all.splice(-1, 0, late);
    const { parameters } = body as { parameters: { since: string; after: string } };
    const since = new Date(Number(parameters.since)).toISOString().replace('T', ' ').replace('Z', '');
    const data = all
      .filter(
        ({ received, event_id: id }) => received > since || (received === since && id > parameters.after),
      )
      .slice(0, 1_000);
    return { data } as T;
  };
  const { out } = await run(tailCommand, ['--since', '1h', '--count', '2502', '--json'], { call });
  const told = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event_id);
  expect(told).toEqual([...batch, all.at(-1), late].map((event) => event?.event_id));
});

test.each([
  ['volume', ['--per', 'hour', '--type', 'kill'], { per: 'hour', types: ['kill'] }],
  ['players', [], { per: 'day' }],
  ['session-length', [], {}],
  [
    'funnel',
    ['--step', 'tutorial', '--step', 'boss  won=true party>=2', '--window', '2h'],
    {
      steps: [
        { type: 'tutorial', where: [] },
        {
          type: 'boss',
          where: [
            { member: 'won', is: 'equal', value: true },
            { member: 'party', is: 'greaterOrEqual', value: 2 },
          ],
        },
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
])('analyse %s asks for a week unless told otherwise, and what its options say', async (name, args, body) => {
  const asked: ApiRequest[] = [];
  const call = async <T>(request: ApiRequest): Promise<T> => {
    asked.push(request);
    return { results: [{ at: 'now', events: 2, value: null }] } as T;
  };
  const command = analysisCommands.find(({ words }) => words === `analyse ${name}`);
  const { result } = await run(command, args, { call });
  expect(asked).toMatchObject([{ method: 'POST', path: `/v1/analyses/${name}` }]);
  const week = { from: '2026-11-14T09:00:00.000Z', to: '2026-11-21T09:00:00.000Z' };
  expect(asked[0]?.body).toEqual({ ...week, ...body });
  expect(result?.lines).toEqual(['at   events  value', 'now  2       -']);
});

test.each([
  [['--from', 'yesterday'], '--from is a time'],
  [['--step', 'kill level~3'], 'is no condition'],
  [['--step', 'kill', '--window', '2 hours'], '--window is how long'],
])('refuses %j', async (args, complaint) => {
  const funnel = analysisCommands.find(({ words }) => words === 'analyse funnel');
  await expect(run(funnel, args, { call: () => Promise.reject(new Error('asked')) })).rejects.toThrow(
    complaint,
  );
});
