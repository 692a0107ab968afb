import { expect, test } from 'vitest';
import type { ApiRequest } from './api.ts';
import { runnerAt } from './command-harness.ts';
import { playerCommands } from './player-commands.ts';

const nowMs = Date.UTC(2026, 10, 21, 9);
const runAt = runnerAt(nowMs);
const max = {
  ...{ id: 'u-max', state: 'active', ban: null, emailAddress: 'max@example.com', displayName: 'Max' },
  ...{ created: '2026-11-20T18:30:00.000Z', lastSeen: null, hasSecondFactor: true, providers: ['steam'] },
  version: 'v1',
};

/** What the command asks for, each request answered with the next of these. */
async function run(words: string, args: readonly string[], answers: readonly unknown[]) {
  const asked: Omit<ApiRequest, 'at'>[] = [];
  const call = async <T>({ at: _, ...request }: ApiRequest): Promise<T> => {
    asked.push(request);
    return answers[asked.length - 1] as T;
  };
  const command = playerCommands.find((each) => each.words === `players ${words}`);
  const { result } = await runAt(command, args, { call });
  return { asked, ...result };
}

test.each([
  ['u-max', { path: '/v1/players/u-max' }, max],
  [
    'max@example.com',
    { path: '/v1/players', query: { emailAddress: 'max@example.com' } },
    { results: [max] },
  ],
  ['steam:7656', { path: '/v1/players', query: { provider: 'steam', subject: '7656' } }, { results: [max] }],
])('players find %s', async (who, request, answer) => {
  const { asked, code, json, lines } = await run('find', [who], [answer]);
  expect([asked, code, json]).toEqual([[request], 0, { players: [max] }]);
  expect(lines?.[1]).toBe('u-max    active  max@example.com (Max)');
});

test('who is not found, or is several, is refused', async () => {
  expect(await run('find', ['nobody@example.com'], [{ results: [] }])).toMatchObject({ code: 1 });
  for (const [results, why] of [
    [[], 'No player is'],
    [[max, max], 'Several players are'],
  ] as const) {
    await expect(run('unban', ['steam:7656'], [{ results }])).rejects.toThrow(`${why} called steam:7656`);
  }
});

test.each([
  [['--expires', '7d'], '2026-11-28T09:00:00.000Z'],
  [['--expires', '2026-12-24'], '2026-12-24T00:00:00.000Z'],
  [[], null],
])('players ban %j', async (args, expires) => {
  const banned = { ...max, state: 'banned', ban: { reason: 'aimbot', expires } };
  const { asked, lines } = await run('ban', ['u-max', '--reason', 'aimbot', ...args], [max, banned]);
  const body = { version: 'v1', reason: 'aimbot', expires };
  expect(asked[1]).toEqual({ method: 'PUT', path: '/v1/players/u-max/ban', body });
  const until = expires === null ? 'for good' : `until ${expires}`;
  expect(lines).toEqual([`max@example.com (Max) is banned ${until}: aimbot.`]);
});

test('players ban says why, and until when that is a time', async () => {
  await expect(run('ban', ['u-max'], [])).rejects.toThrow('--reason');
  const args = ['u-max', '--reason', 'aimbot', '--expires', 'soon'];
  await expect(run('ban', args, [max])).rejects.toThrow('--expires is a time');
});

test.each([
  ['unban', ['u-max'], [{ method: 'DELETE', path: '/v1/players/u-max/ban' }], [max]],
  ['reset-second-factor', ['u-max'], [{ method: 'DELETE', path: '/v1/players/u-max/second-factor' }], [max]],
  ['end-sessions', ['u-max'], [{ method: 'DELETE', path: '/v1/players/u-max/sessions' }], [{ ended: 2 }]],
  [
    'end-sessions',
    ['u-max', 'us-1', 'us-2'],
    ['us-1', 'us-2'].map((id) => ({ method: 'DELETE', path: `/v1/players/u-max/sessions/${id}` })),
    [{}, {}],
  ],
])('players %s %j', async (words, args, requests, answers) => {
  const { asked, code } = await run(words, args, [max, ...answers]);
  expect([asked.slice(1), code]).toEqual([requests, 0]);
});

test('players show and sessions tell what belongs to a player', async () => {
  const identities = [{ provider: 'steam', tenant: '', subject: '7656' }];
  const shown = await run('show', ['u-max'], [max, { results: identities, next: null }]);
  expect(shown.json).toEqual({ player: max, identities });
  expect(shown.lines).toContain('steam          7656');
  const sessions = [
    { id: 'us-1', state: 'live', started: '2026-11-21T08:55:00.000Z', amr: ['steam'], clientAddress: '::1' },
  ];
  const listed = await run('sessions', ['u-max'], [max, { results: sessions, next: null }]);
  expect(listed.lines?.[1]).toBe('us-1     live   2026-11-21T08:55:00.000Z  steam      ::1');
});
