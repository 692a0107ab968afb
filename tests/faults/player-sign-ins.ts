import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '@tickrate/testkit';
import type { SendingProject } from '../event-path/prepare-stores.ts';
import type { FaultStack } from './fault-stack.ts';

/** Players who sign in on new devices while faults happen. */
export interface PlayerSignIns {
  /** Signs players in until `stopped`. */
  run(stopped: Promise<unknown>): Promise<void>;
  /** Once everything has recovered: what is wrong. */
  judge(timeoutMs: number): Promise<string[]>;
}

interface SignedIn {
  readonly authenticatedSession: { readonly id: string; readonly accountId: string; readonly apiKey: string };
  readonly issuedDeviceToken: object;
}

/** A player whose sign-in was not acknowledged sends the same request again. */
interface Player {
  readonly idempotencyKey: string;
  answer: SignedIn | null;
}

interface Call {
  readonly key: string;
  readonly method?: 'GET' | 'PUT';
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
}

const authenticate = '/2018-03-24/authenticate';
/** As many as one page of the console lists. */
const mostPlayers = 200;

export function createPlayerSignIns(stack: FaultStack, project: SendingProject): PlayerSignIns {
  const players: Player[] = [];
  const wrong: string[] = [];
  const [entrance = 0] = stack.entrances;

  /** The answer; null if there was none, or a refusal. */
  async function call<T>(port: number, { key, method = 'GET', path, body, idempotencyKey }: Call) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        'X-API-Key': key,
        Connection: 'close',
        ...(body && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => null);
    const text = await answer?.text().catch(() => null);
    if (answer === null || text == null || [502, 503, 504].includes(answer.status)) return null;
    if (answer.status === 200) return JSON.parse(text) as T;
    wrong.push(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return null;
  }

  async function signIn(player: Player): Promise<boolean> {
    const body = { tokens: { deviceTokens: [{ deviceId: 'new' }] } };
    const request = { key: project.publicKey, method: 'PUT', path: authenticate, body } as const;
    player.answer ??= await call<SignedIn>(entrance, { ...request, idempotencyKey: player.idempotencyKey });
    return player.answer !== null;
  }

  const readPlayer = (port: number, accountId: string) =>
    call<{ id: string }>(port, { key: project.apiKey, path: `/v1/players/${accountId}` });

  /** Whether every auth process accepts the session, and signs the device in to the same account. */
  async function judgePlayer({ answer }: Player): Promise<string[]> {
    if (answer === null) return ['a player is not signed in'];
    const { authenticatedSession: session, issuedDeviceToken } = answer;
    const found = await Promise.all(
      stack.auths.map(async ({ port }) => {
        const read = await call<{ id: string }>(port, { key: session.apiKey, path: '/2018-03-24/session' });
        const body = { tokens: { deviceTokens: [issuedDeviceToken] } };
        const again = await call<SignedIn>(port, {
          key: project.publicKey,
          method: 'PUT',
          path: authenticate,
          body,
        });
        return [read?.id, again?.authenticatedSession.accountId];
      }),
    );
    const isSame = found.every(([id, accountId]) => id === session.id && accountId === session.accountId);
    return isSame
      ? []
      : [`auth processes know ${session.id} of ${session.accountId} as ${JSON.stringify(found)}`];
  }

  /** Whether the console has each player once. */
  async function judgeConsole(port: number): Promise<string[]> {
    const path = `/v1/players?limit=${mostPlayers}`;
    const listed = await call<{ results: { id: string }[] }>(port, { key: project.apiKey, path });
    const ids = listed?.results.map(({ id }) => id).toSorted() ?? [];
    const expected = players.map(({ answer }) => answer?.authenticatedSession.accountId ?? '').toSorted();
    return ids.join() === expected.join() ? [] : [`${expected.length} players are ${ids.length} accounts`];
  }

  async function signPlayersIn(isStopped: () => boolean): Promise<void> {
    for (; !isStopped() && players.length < mostPlayers; await delay(50)) {
      const player: Player = { idempotencyKey: randomUUID().replaceAll('-', ''), answer: null };
      players.push(player);
      while (!isStopped() && !(await signIn(player))) await delay(200);
      if (player.answer !== null) await readPlayer(entrance, player.answer.authenticatedSession.accountId);
    }
  }

  return {
    async run(stopped) {
      let isOver = false;
      const stopping = stopped.finally(() => {
        isOver = true;
      });
      await Promise.all([stopping, ...Array.from({ length: 4 }, () => signPlayersIn(() => isOver))]);
    },
    async judge(timeoutMs) {
      for (const player of players) await waitUntil(() => signIn(player), { timeoutMs, what: 'a sign-in' });
      const failures = [...(await Promise.all(players.map(judgePlayer))).flat()];
      for (const { port } of stack.consoles) failures.push(...(await judgeConsole(port)));
      return [...failures, ...wrong];
    },
  };
}
