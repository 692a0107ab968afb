import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type AddressVoucher, sleep, vouchedAddressHeader } from '@tickrate/platform';
import type { DemoProgress, DemoRecord, Registry } from '@tickrate/registry';
import { Tickrate } from '@tickrate/sdk';
import { furnish, replaceKey } from './game/furnish.ts';
import {
  eventsOf,
  eventsPerSession,
  firstDayOf,
  pastDays,
  type Session,
  sessionsOfDay,
} from './game/sessions.ts';

export interface GameOptions extends Pick<DemoRecord, 'arrivedMs'> {
  readonly projectId: string;
  readonly startedMs: number;
  readonly gatewayUrl: string | null;
  readonly authUrl: string;
  readonly folder: string;
  readonly registry: Registry;
  /** Each player signs in from a separate address, because auth limits the sign-ins of one address. */
  readonly voucher: Pick<AddressVoucher, 'write'>;
  readonly device: Device;
  readonly onFault: (error: unknown) => void;
}

/** Clocks, chance and network of all players. */
type Device = NonNullable<Parameters<typeof Tickrate.open>[1]>;

const defaultGatewayUrl = 'http://127.0.0.1:8080';
const dayMs = 86_400_000;
const lookEveryMs = 250;
/** Past sessions that are sent at once. More would take the place of real requests. */
const pastAtOnce = 8;

export type Game = ReturnType<typeof startGame>;

/**
 * Plays the sessions of the game, each when it is due. Sessions that are over, as those before the start or of a time in which
 * this process did not run, are sent at once with the times of their events, the newest first.
 */
export function startGame(options: GameOptions) {
  const { projectId, startedMs, registry, onFault } = options;
  const now = options.device.wallMs;
  const stopping = new AbortController();
  const { signal } = stopping;
  const journal = openJournal(options);
  let progress: DemoProgress | null = null;
  let isPlaying = true;

  async function play(): Promise<void> {
    const tour = await furnish(registry, projectId);
    const key = await replaceKey(registry, projectId);
    const played = new Set<Promise<void>>();
    const begin = (session: Session) => {
      const done = playSession(session, { ...options, key, journal, signal, onSent })
        .then(
          () => undefined,
          (error: unknown) => void (signal.aborted || onFault(error)),
        )
        .finally(() => played.delete(done));
      played.add(done);
      return done;
    };
    const { past, coming } = journal.sessions(now());
    const all = { projectId, sent: 0, expected: past.length * eventsPerSession, hasArrived: false, tour };
    progress = all;
    function onSent() {
      all.sent = Math.min(all.expected, all.sent + 1);
    }
    const sending = sendPast(past, begin, signal).then(() => {
      all.hasArrived = !signal.aborted;
    });
    for (let day = Math.floor(now() / dayMs); !signal.aborted; await sleep(lookEveryMs, signal)) {
      const today = Math.floor(now() / dayMs);
      for (; day < today; day += 1) coming.push(...sessionsOfDay(day + 1, startedMs));
      for (let next = coming[0]; next !== undefined && next.startMs <= now(); next = coming[0]) {
        coming.shift();
        void begin(next);
      }
    }
    await Promise.all([sending, ...played]);
  }

  const playing = play().catch((error: unknown) => {
    isPlaying = false;
    onFault(error);
  });
  return {
    projectId,
    get progress() {
      return progress;
    },
    /** False once it failed. */
    get isPlaying() {
      return isPlaying;
    },
    /** Resolves when nothing is sent any more. */
    async stop(): Promise<void> {
      stopping.abort();
      await playing;
    },
  };
}

async function sendPast(
  left: Session[],
  play: (session: Session) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const last = new Map<number, Promise<void>>();
  const sendRest = async () => {
    for (let next = left.pop(); next !== undefined && !signal.aborted; next = left.pop()) {
      const session = next;
      // One at a time for each player: two at once would be two devices.
      const sent = (last.get(session.player.number) ?? Promise.resolve()).then(() => play(session));
      last.set(session.player.number, sent);
      await sent;
    }
  };
  await Promise.all(Array.from({ length: pastAtOnce }, sendRest));
}

interface Playing extends Pick<GameOptions, 'gatewayUrl' | 'authUrl' | 'voucher' | 'device' | 'startedMs'> {
  readonly key: string;
  readonly journal: Pick<Journal, 'begin' | 'folderOf'>;
  readonly signal: AbortSignal;
  readonly onSent: () => void;
}

/** Rejected events count when they arrive: those of the last hours are enough to see them. */
const rejectedMs = 6 * 3_600_000;

/** As a game does it: opens the SDK, tracks what happens, and closes it. A player whose account has ended stops playing. */
export async function playSession(session: Session, playing: Playing): Promise<'sent' | 'ended'> {
  const { player } = session;
  const { gatewayUrl, authUrl, key, voucher, device, journal, signal, startedMs, onSent } = playing;
  journal.begin(session);
  let hasEnded = false;
  const client = await Tickrate.open(
    {
      url: gatewayUrl ?? defaultGatewayUrl,
      sessionsUrl: authUrl,
      key,
      consent: 'granted',
      folder: journal.folderOf(session),
      onSignInNeeded: () => {
        hasEnded = true;
      },
    },
    at(voucher.write(player.address), device),
  );
  try {
    for (const { type, atMs, event, isFaulty } of eventsOf(session)) {
      if (isFaulty && atMs < startedMs - rejectedMs) continue;
      const aheadMs = atMs - device.wallMs();
      if (aheadMs > 0) {
        await client.flush();
        await sleep(aheadMs, signal);
      }
      if (hasEnded || signal.aborted) break;
      client.track({ eventType: type, occurredAt: new Date(atMs).toISOString(), event });
      if (!isFaulty) onSent();
    }
    await client.flush();
  } finally {
    await client.close();
  }
  return hasEnded ? 'ended' : 'sent';
}

/** The device with an address of the player's own. */
function at(address: string, device: Device): Device {
  return {
    ...device,
    fetch: (url, init) =>
      device.fetch(url, { ...init, headers: { ...init?.headers, [vouchedAddressHeader]: address } }),
  };
}

/** Which sessions were played, so that none is played twice. */
type Journal = ReturnType<typeof openJournal>;

export function openJournal({
  folder,
  projectId,
  startedMs,
  arrivedMs,
}: Pick<GameOptions, 'folder' | 'projectId' | 'startedMs' | 'arrivedMs'>) {
  const place = join(folder, projectId);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  // Players of a demo that was removed.
  for (const other of readdirSync(folder)) {
    if (other !== projectId) rmSync(join(folder, other), { recursive: true, force: true });
  }
  const path = join(place, 'played');
  appendFileSync(path, '');
  const played = new Set(readFileSync(path, 'utf8').split('\n'));
  const isLost = arrivedMs !== null && played.size <= 1;
  const nameOf = ({ player, startMs }: Session) => `${startMs} ${player.number}`;
  return {
    /** Records it before it is played: what a killed process tracked is sent by the SDK. */
    begin: (session: Session) => appendFileSync(path, `${nameOf(session)}\n`),
    /** The folder of the player's device. */
    folderOf: ({ player }: Session) => join(place, String(player.number)),
    /** Those that were not played: over, and not over, in the order of their starts. */
    sessions(nowMs: number): { readonly past: Session[]; readonly coming: Session[] } {
      const today = Math.floor(nowMs / dayMs);
      const first = Math.max(firstDayOf(startedMs), today - pastDays);
      const days = Array.from({ length: today - first + 1 }, (_, n) => first + n);
      const left = days
        .flatMap((day) => sessionsOfDay(day, startedMs))
        .filter((session) => !played.has(nameOf(session)) && !(isLost && session.startMs < nowMs));
      return {
        past: left.filter(({ endMs }) => endMs <= nowMs),
        coming: left.filter(({ endMs }) => endMs > nowMs),
      };
    },
  };
}
