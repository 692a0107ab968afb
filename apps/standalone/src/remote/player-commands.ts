import { CommandFault, commandCodes, tableLines } from '../command.ts';
import { allOf } from './all-of.ts';
import type { Api } from './api.ts';
import { durationMs } from './read-time.ts';
import type { RemoteCommand } from './remote-command.ts';

interface Player {
  readonly id: string;
  readonly state: string;
  readonly ban: { readonly reason: string; readonly expires: string | null } | null;
  readonly emailAddress: string | null;
  readonly displayName: string | null;
  readonly created: string;
  readonly lastSeen: string | null;
  readonly hasSecondFactor: boolean;
  readonly providers: readonly string[];
  readonly version: string;
}

interface Identity {
  readonly provider: string;
  readonly tenant: string;
  readonly subject: string;
}

interface Session {
  readonly id: string;
  readonly state: string;
  readonly started: string;
  readonly amr: readonly string[];
  readonly clientAddress: string;
}

const one = { operands: 'PLAYER', fewest: 1, most: 1 };
const path = (id: string, below = '') => `/v1/players/${encodeURIComponent(id)}${below}`;

const find: RemoteCommand = {
  ...{ ...one, words: 'players find', options: [] },
  summary: 'players by id, address, or PLATFORM:ID as in steam:76561197960287930',
  async run({ api, operands: [who = ''] }) {
    const players = await playersCalled(api, who);
    const rows = players.map((player) => [player.id, player.state, nameOf(player), player.lastSeen ?? '']);
    const lines = tableLines([['ACCOUNT', 'STATE', 'WHO', 'LAST SEEN'], ...rows]);
    const code = players.length === 0 ? commandCodes.refused : commandCodes.done;
    return { code, json: { players }, lines: players.length === 0 ? ['There is no such player'] : lines };
  },
};

const show: RemoteCommand = {
  ...{ ...one, words: 'players show', options: [] },
  summary: 'a player with identities at platforms',
  async run({ api, operands: [who = ''] }) {
    const player = await playerCalled(api, who);
    const identities = await allOf<Identity>(api, path(player.id, '/identities'));
    const lines = tableLines([
      ...[
        ['account', player.id],
        ['who', nameOf(player)],
        ['state', stateOf(player)],
      ],
      ...[
        ['created', player.created],
        ['last seen', player.lastSeen ?? 'not lately'],
      ],
      ['second factor', player.hasSecondFactor ? 'yes' : 'no'],
      ...identities.map(({ provider, tenant, subject }) => [provider, `${subject} ${tenant}`.trim()]),
    ]);
    return { code: commandCodes.done, json: { player, identities }, lines };
  },
};

const ban: RemoteCommand = {
  ...{ ...one, words: 'players ban', options: ['reason', 'expires'] },
  summary: 'ban a player, who is told the --reason; --expires TIME or in how long, 7d; for good without',
  async run({ api, operands: [who = ''], given: { reason, expires }, now }) {
    if (reason === null) throw wrongUse('Say why with --reason: the player is told');
    const { id, version } = await playerCalled(api, who);
    const player = await api.call<Player>({
      ...{ at: 'console', method: 'PUT', path: path(id, '/ban') },
      body: { version, reason, expires: expires === null ? null : timeOf(expires, now()) },
    });
    return done(player, `${nameOf(player)} is ${stateOf(player)}.`);
  },
};

const unban: RemoteCommand = {
  ...{ ...one, words: 'players unban', options: [] },
  summary: 'lift the ban of a player',
  async run({ api, operands: [who = ''] }) {
    const { id } = await playerCalled(api, who);
    const player = await api.call<Player>({ at: 'console', method: 'DELETE', path: path(id, '/ban') });
    return done(player, `${nameOf(player)} is not banned.`);
  },
};

const resetSecondFactor: RemoteCommand = {
  ...{ ...one, words: 'players reset-second-factor', options: [] },
  summary: 'take the second factor away from a player who has lost it, and the trusted devices',
  async run({ api, operands: [who = ''] }) {
    const { id } = await playerCalled(api, who);
    const below = path(id, '/second-factor');
    const player = await api.call<Player>({ at: 'console', method: 'DELETE', path: below });
    return done(player, `${nameOf(player)} has no second factor any more.`);
  },
};

const sessions: RemoteCommand = {
  ...{ ...one, words: 'players sessions', options: [] },
  summary: 'the sessions of a player, newest first',
  async run({ api, operands: [who = ''] }) {
    const { id } = await playerCalled(api, who);
    const found = await allOf<Session>(api, path(id, '/sessions'));
    const rows = found.map(({ id: session, state, started, amr, clientAddress }) => [
      ...[session, state, started, amr.join(' '), clientAddress],
    ]);
    const lines = tableLines([['SESSION', 'STATE', 'STARTED', 'PROVEN BY', 'FROM'], ...rows]);
    return { code: commandCodes.done, json: { sessions: found }, lines };
  },
};

const endSessions: RemoteCommand = {
  ...{ words: 'players end-sessions', operands: 'PLAYER [SESSION-ID…]', fewest: 1, most: 100, options: [] },
  summary: 'end all sessions of a player, or those that are named, everywhere within a second',
  async run({ api, operands: [who = '', ...named] }) {
    const { id } = await playerCalled(api, who);
    const below = path(id, '/sessions');
    const end = { at: 'console', method: 'DELETE' } as const;
    for (const session of named) {
      await api.call<Session>({ ...end, path: `${below}/${encodeURIComponent(session)}` });
    }
    const { ended } =
      named.length > 0 ? { ended: named.length } : await api.call<{ ended: number }>({ ...end, path: below });
    return { code: commandCodes.done, json: { ended }, lines: [`Ended: ${ended}`] };
  },
};

export const playerCommands: readonly RemoteCommand[] = [
  ...[find, show, ban, unban, resetSecondFactor, sessions, endSessions],
];

async function playersCalled(api: Api, who: string): Promise<Player[]> {
  if (who.includes('@')) return listed(api, { emailAddress: who });
  const [, provider, subject] = /^([^:]+):(.+)$/.exec(who) ?? [];
  if (provider !== undefined && subject !== undefined) return listed(api, { provider, subject });
  return [await api.call<Player>({ at: 'console', path: path(who) })];
}

async function listed(api: Api, query: Readonly<Record<string, string>>): Promise<Player[]> {
  return (await api.call<{ results: Player[] }>({ at: 'console', path: '/v1/players', query })).results;
}

async function playerCalled(api: Api, who: string): Promise<Player> {
  const [player, other] = await playersCalled(api, who);
  if (player === undefined || other !== undefined) {
    const why = player === undefined ? 'No player is' : 'Several players are';
    throw new CommandFault(`${why} called ${who}: see \`players find\``, { code: commandCodes.refused });
  }
  return player;
}

function done(player: Player, line: string) {
  return { code: commandCodes.done, json: { player }, lines: [line] };
}

function nameOf({ id, emailAddress, displayName }: Player): string {
  const name = emailAddress ?? id;
  return displayName === null ? name : `${name} (${displayName})`;
}

function stateOf({ state, ban: banned }: Player): string {
  if (banned === null) return state;
  return `banned ${banned.expires === null ? 'for good' : `until ${banned.expires}`}: ${banned.reason}`;
}

function timeOf(text: string, nowMs: number): string {
  const ahead = durationMs(text);
  const timeMs = ahead === null ? Date.parse(text) : nowMs + ahead;
  if (Number.isFinite(timeMs)) return new Date(timeMs).toISOString();
  throw wrongUse('--expires is a time such as 2026-12-24T00:00:00Z, or in how long: 12h, 7d');
}

function wrongUse(message: string): CommandFault {
  return new CommandFault(message, { code: commandCodes.wrongUse });
}
