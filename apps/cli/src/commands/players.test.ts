import { expect, test } from 'vitest';
import { runAgainst } from '../command-harness.ts';

const nowMs = Date.UTC(2026, 10, 21, 9);
const max = {
  id: 'u-max',
  state: 'active',
  ban: null,
  emailAddress: 'max@example.com',
  displayName: 'Max',
  created: '2026-11-20T18:30:00.000Z',
  lastSeen: null,
  hasSecondFactor: true,
  providers: ['steam'],
  version: 'v1',
};

/** Runs the command; the server answers each request with the next of these. */
function run(words: string, args: readonly string[], answers: readonly unknown[]) {
  const left = [...answers];
  return runAgainst(() => left.shift(), ['players', words, ...args], { nowMs });
}

test.each([
  ['u-max', '/v1/players/u-max', max],
  ['max@example.com', '/v1/players?emailAddress=max%40example.com', { results: [max] }],
  ['steam:7656', '/v1/players?provider=steam&subject=7656', { results: [max] }],
])('players find %s', async (who, path, answer) => {
  const { asked, code, out } = await run('find', [who], [answer]);
  expect([asked, code]).toEqual([[{ method: 'GET', path }], 0]);
  expect(out.split('\n')[1]).toBe('u-max    active  max@example.com (Max)');
});

test('a name that finds no player, or several, is refused', async () => {
  expect(await run('find', ['nobody@example.com'], [{ results: [] }])).toMatchObject({ code: 1 });
  for (const [results, why] of [
    [[], 'No player is'],
    [[max, max], 'Several players are'],
  ] as const) {
    const { code, complaint } = await run('unban', ['steam:7656'], [{ results }]);
    expect([code, complaint]).toEqual([1, expect.stringContaining(`${why} called steam:7656`)]);
  }
});

test.each([
  [['--expires', '7d'], '2026-11-28T09:00:00.000Z'],
  [['--expires', '2026-12-24'], '2026-12-24T00:00:00.000Z'],
  [[], null],
])('players ban %j', async (args, expires) => {
  const banned = { ...max, state: 'banned', ban: { reason: 'aimbot', expires } };
  const { asked, out } = await run('ban', ['u-max', '--reason', 'aimbot', ...args], [max, banned]);
  const body = { version: 'v1', reason: 'aimbot', expires };
  expect(asked[1]).toEqual({ method: 'PUT', path: '/v1/players/u-max/ban', body });
  const until = expires === null ? 'for good' : `until ${expires}`;
  expect(out).toBe(`max@example.com (Max) is banned ${until}: aimbot.\n`);
});

test('players ban requires a reason and a valid time', async () => {
  expect((await run('ban', ['u-max'], [])).complaint).toContain('--reason');
  const args = ['u-max', '--reason', 'aimbot', '--expires', 'soon'];
  expect(await run('ban', args, [max])).toMatchObject({
    code: 64,
    complaint: expect.stringContaining('--expires: expected a time'),
  });
});

test.each([
  ['unban', ['u-max'], ['/v1/players/u-max/ban'], [max]],
  ['reset-second-factor', ['u-max'], ['/v1/players/u-max/second-factor'], [max]],
  ['end-sessions', ['u-max'], ['/v1/players/u-max/sessions'], [{ ended: 2, unlinkedDevices: 1 }]],
  [
    'end-sessions',
    ['u-max', 'us-1', 'us-2'],
    ['/v1/players/u-max/sessions/us-1', '/v1/players/u-max/sessions/us-2'],
    [{}, {}],
  ],
])('players %s %j', async (words, args, paths, answers) => {
  const { asked, code } = await run(words, args, [max, ...answers]);
  expect([asked.slice(1), code]).toEqual([paths.map((path) => ({ method: 'DELETE', path })), 0]);
});

test('players show and sessions print what belongs to a player', async () => {
  const identities = [{ provider: 'steam', tenant: '', subject: '7656' }];
  const shown = await run('show', ['u-max'], [max, { results: identities, next: null }]);
  expect(shown.out.split('\n')).toContain('steam          7656');
  const sessions = [
    { id: 'us-1', state: 'live', started: '2026-11-21T08:55:00.000Z', amr: ['steam'], clientAddress: '::1' },
  ];
  const listed = await run('sessions', ['u-max'], [max, { results: sessions, next: null }]);
  expect(listed.out.split('\n')[1]).toBe('us-1     live   2026-11-21T08:55:00.000Z  steam      ::1');
});
