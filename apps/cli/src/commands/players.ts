import { allPages } from '../calling/all-pages.ts';
import type { AnswerOf, Api } from '../calling/api.ts';
import { commandCodes, done, refused, tableLines, wrongUse } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { textOption } from '../command-line/options.ts';
import { durationMs } from '../command-line/read-time.ts';

type Player = AnswerOf<'GET /v1/players/{accountId}'>;

const operands = 'PLAYER';

export const playerCommands = [
  defineCommand({
    words: 'players find',
    operands,
    summary: 'find players by id, e-mail address, or PLATFORM:ID as in steam:76561197960287930',
    async run({ api, operands: [who = ''] }) {
      const players = await findPlayers(api, who);
      if (players.length === 0) {
        return { code: commandCodes.refused, json: { players }, lines: ['There is no such player'] };
      }
      const rows = players.map((player) => [player.id, player.state, nameOf(player), player.lastSeen ?? '']);
      return done({ players }, tableLines([['ACCOUNT', 'STATE', 'WHO', 'LAST SEEN'], ...rows]));
    },
  }),
  defineCommand({
    words: 'players show',
    operands,
    summary: 'show a player with their identities on platforms',
    async run({ api, operands: [who = ''] }) {
      const player = await findPlayer(api, who);
      const params = { accountId: player.id };
      const identities = await allPages(api, 'GET /v1/players/{accountId}/identities', { params });
      const rows = [
        ['account', player.id],
        ['who', nameOf(player)],
        ['state', stateOf(player)],
        ['created', player.created],
        ['last seen', player.lastSeen ?? 'not lately'],
        ['second factor', player.hasSecondFactor ? 'yes' : 'no'],
        ...identities.map(({ provider, tenant, subject }) => [provider, `${subject} ${tenant}`.trim()]),
      ];
      return done({ player, identities }, tableLines(rows));
    },
  }),
  defineCommand({
    words: 'players ban',
    operands,
    summary: 'ban a player; the player sees the reason',
    options: {
      reason: textOption('TEXT', 'the reason of the ban; required'),
      expires: textOption('TIME', 'when the ban ends: RFC 3339, or in how long, as in 7d (default: never)'),
    },
    async run({ api, operands: [who = ''], options: { reason, expires }, now }) {
      if (reason === undefined) throw wrongUse('Give the reason with --reason: the player sees it');
      const { id: accountId, version } = await findPlayer(api, who);
      const player = await api.call('PUT /v1/players/{accountId}/ban', {
        params: { accountId },
        body: { version, reason, expires: expires === undefined ? null : timeOf(expires, now()) },
      });
      return done({ player }, [`${nameOf(player)} is ${stateOf(player)}.`]);
    },
  }),
  defineCommand({
    words: 'players unban',
    operands,
    summary: 'lift the ban of a player',
    async run({ api, operands: [who = ''] }) {
      const { id: accountId } = await findPlayer(api, who);
      const player = await api.call('DELETE /v1/players/{accountId}/ban', { params: { accountId } });
      return done({ player }, [`${nameOf(player)} is not banned.`]);
    },
  }),
  defineCommand({
    words: 'players reset-second-factor',
    operands,
    summary: 'remove the second factor and the trusted devices of a player who lost it',
    async run({ api, operands: [who = ''] }) {
      const { id: accountId } = await findPlayer(api, who);
      const player = await api.call('DELETE /v1/players/{accountId}/second-factor', {
        params: { accountId },
      });
      return done({ player }, [`${nameOf(player)} has no second factor any more.`]);
    },
  }),
  defineCommand({
    words: 'players sessions',
    operands,
    summary: 'list the sessions of a player, newest first',
    async run({ api, operands: [who = ''] }) {
      const { id: accountId } = await findPlayer(api, who);
      const found = await allPages(api, 'GET /v1/players/{accountId}/sessions', { params: { accountId } });
      const rows = found.map(({ id, state, started, amr, clientAddress }) => [
        id,
        state,
        started,
        amr.join(' '),
        clientAddress,
      ]);
      return done(
        { sessions: found },
        tableLines([['SESSION', 'STATE', 'STARTED', 'PROVEN BY', 'FROM'], ...rows]),
      );
    },
  }),
  defineCommand({
    words: 'players end-sessions',
    operands: 'PLAYER [SESSION-ID…]',
    summary: 'end all sessions of a player, or the named ones, everywhere within a second',
    async run({ api, operands: [who = '', ...named] }) {
      const { id: accountId } = await findPlayer(api, who);
      for (const sessionId of named) {
        const params = { accountId, sessionId };
        await api.call('DELETE /v1/players/{accountId}/sessions/{sessionId}', { params });
      }
      const result =
        named.length > 0
          ? { ended: named.length, unlinkedDevices: 0 }
          : await api.call('DELETE /v1/players/{accountId}/sessions', { params: { accountId } });
      const { ended, unlinkedDevices } = result;
      return done(result, [`Ended: ${ended}`, `Unlinked devices: ${unlinkedDevices}`]);
    },
  }),
];

async function findPlayers(api: Api, who: string): Promise<readonly Player[]> {
  if (who.includes('@')) return (await api.call('GET /v1/players', { query: { emailAddress: who } })).results;
  const [, provider, subject] = /^([^:]+):(.+)$/.exec(who) ?? [];
  if (provider !== undefined && subject !== undefined) {
    return (await api.call('GET /v1/players', { query: { provider, subject } })).results;
  }
  return [await api.call('GET /v1/players/{accountId}', { params: { accountId: who } })];
}

async function findPlayer(api: Api, who: string): Promise<Player> {
  const [player, other] = await findPlayers(api, who);
  if (player !== undefined && other === undefined) return player;
  const found = player === undefined ? 'No player is' : 'Several players are';
  throw refused(`${found} called ${who}: see \`players find\``);
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
  const aheadMs = durationMs(text);
  const timeMs = aheadMs === null ? Date.parse(text) : nowMs + aheadMs;
  if (Number.isFinite(timeMs)) return new Date(timeMs).toISOString();
  throw wrongUse('--expires: expected a time such as 2026-12-24T00:00:00Z, or in how long: 12h, 7d');
}
