import { createPlayer, longestReturn, newPlayersPerDay, type Player, playsAfter } from './players.ts';
import { createRandom, type Random } from './random.ts';

export interface GameEvent {
  readonly type: string;
  readonly atMs: number;
  readonly event: Readonly<Record<string, unknown>>;
  /** Whether the declaration rejects it. */
  readonly isFaulty: boolean;
}

export interface Session {
  readonly player: Player;
  readonly startMs: number;
  readonly endMs: number;
  /** On the player's first day. */
  readonly isFirst: boolean;
  /** Whether build 1.4.2 is out. */
  readonly isAfterRelease: boolean;
}

export const eventsPerSession = 120;
/** Fewer than 30 days: the gateway accepts no older event. */
export const pastDays = 28;
const dayMs = 86_400_000;
const minuteMs = 60_000;

/** The days of UTC on which the game was played before it was started, and the day itself. */
export function firstDayOf(startedMs: number): number {
  return Math.floor(startedMs / dayMs) - pastDays;
}

/**
 * The sessions of a day of UTC, numbered from 1970, in the order of their starts. A past day and a future one follow the same
 * rules, so what is loaded is as dense as what is played. Equal for equal arguments.
 */
export function sessionsOfDay(day: number, startedMs: number): Session[] {
  const firstDay = firstDayOf(startedMs);
  const sessions: Session[] = [];
  for (let cohort = Math.max(firstDay, day - longestReturn); cohort <= day; cohort += 1) {
    for (let rank = 0; rank < newPlayersPerDay; rank += 1) {
      const number = (cohort - firstDay) * newPlayersPerDay + rank;
      if (playsAfter(number, day - cohort)) sessions.push(sessionOf(number, { day, cohort, startedMs }));
    }
  }
  return sessions.toSorted((one, other) => one.startMs - other.startMs);
}

interface Place {
  readonly day: number;
  readonly cohort: number;
  readonly startedMs: number;
}

function sessionOf(number: number, { day, cohort, startedMs }: Place): Session {
  const random = createRandom(0x5e55_0000 + number * 64 + day - cohort);
  const lengthMs = random.whole(20, 40) * minuteMs;
  // It ends on its day.
  const startMs = day * dayMs + random.whole(0, dayMs - lengthMs - 1);
  return {
    player: createPlayer(number),
    startMs,
    endMs: startMs + lengthMs,
    isFirst: day === cohort,
    // The crash appeared a day before the game was started.
    isAfterRelease: startMs >= startedMs - dayMs,
  };
}

export const crashingBuild = '1.4.2';
export const crashingGpu = 'Radeon RX 6600';
export const slowRegion = 'sa';
/** Of UTC, when it is night in the slow region. */
export const slowHours: readonly number[] = [3, 4, 5, 6, 7, 8];
const oldBuild = '1.2.0';

/** In their order: `eventsPerSession` that are accepted, and those that are rejected. Equal for equal arguments. */
export function eventsOf(session: Session): GameEvent[] {
  const { player, startMs, endMs } = session;
  const random = createRandom(Math.floor(startMs / 1_000) ^ player.number);
  const build = buildOf(session);
  const drafts = draftsOf(session, { build, random });
  const crashes = willCrash(player, build, random);
  const played = drafts.slice(0, crashes ? eventsPerSession - 1 : eventsPerSession);
  const all = crashes ? [...played, crashOf(player, build)] : played;
  const step = (endMs - startMs) / eventsPerSession;
  return all.flatMap(({ type, event }, n) => {
    const atMs = Math.floor(startMs + n * step + random.next() * step * 0.8);
    const filled = type === 'match_finished' ? withWait(event, { atMs, player, random }) : event;
    const sent: GameEvent = { type, atMs, event: filled, isFaulty: false };
    if (type !== 'level_up' || !player.hasOldBuild) return [sent];
    // The old build sends each level twice: as text first.
    return [{ ...sent, event: { ...event, level: String(event['level']) }, isFaulty: true }, sent];
  });
}

function buildOf({ player, isAfterRelease }: Session): string {
  if (player.hasOldBuild) return oldBuild;
  if (player.platform === 'android') return '1.4.0';
  return isAfterRelease && player.number % 10 < 7 ? crashingBuild : '1.4.1';
}

function willCrash({ gpu }: Player, build: string, random: Random): boolean {
  return random.chance(build === crashingBuild && gpu === crashingGpu ? 0.9 : 0.008);
}

interface Draft {
  readonly type: string;
  readonly event: Readonly<Record<string, unknown>>;
}

function draftsOf(
  { player, isFirst }: Session,
  { build, random }: { readonly build: string; readonly random: Random },
): Draft[] {
  const { region, platform, gpu } = player;
  const drafts: Draft[] = [
    { type: 'session_start', event: { platform, build, region, gpu, first_launch: isFirst } },
  ];
  if (isFirst) drafts.push(...tutorial(random));
  let level = isFirst ? 1 : random.whole(2, 30);
  while (drafts.length < eventsPerSession) {
    const queue = random.chance(0.6) ? 'ranked' : 'casual';
    const hasWon = random.chance(0.5);
    drafts.push({ type: 'match_queued', event: { queue, region } });
    drafts.push({ type: 'match_finished', event: matchOf({ queue, region, hasWon }, random) });
    drafts.push({ type: 'client_performance', event: performanceOf(gpu, build, random) });
    if (hasWon && random.chance(0.7)) {
      level += 1;
      drafts.push({ type: 'level_up', event: { level, character: random.pick(characters) } });
    }
    if (random.chance(player.isBigSpender ? 0.12 : 0.003)) {
      drafts.push({ type: 'purchase', event: purchaseOf(player, random) });
    }
  }
  return drafts;
}

const tutorialSteps = 6;
/** Of the players who finished the step before. */
const passing: Readonly<Record<number, number>> = { 1: 1, 2: 0.97, 3: 0.95, 4: 0.65, 5: 0.97, 6: 0.98 };

function tutorial(random: Random): Draft[] {
  const steps: Draft[] = [];
  for (let step = 1; step <= tutorialSteps && random.chance(passing[step] ?? 0); step += 1) {
    steps.push({ type: 'tutorial_step', event: { step, seconds: random.whole(10, step === 4 ? 240 : 60) } });
  }
  return steps;
}

const characters = ['ranger', 'pyromancer', 'warden', 'duelist'] as const;
const maps = ['Caldera', 'Ashfall', 'Old Foundry', 'Glass Desert'] as const;

function matchOf(match: { queue: string; region: string; hasWon: boolean }, random: Random) {
  const { queue, region, hasWon } = match;
  return {
    queue,
    region,
    won: hasWon,
    map: random.pick(maps),
    character: random.pick(characters),
    duration_seconds: random.whole(180, 900),
    kills: random.whole(0, 18),
    deaths: random.whole(0, 14),
  };
}

interface WaitParts {
  readonly atMs: number;
  readonly player: Player;
  readonly random: Random;
}

function withWait(event: Draft['event'], { atMs, player, random }: WaitParts): Draft['event'] {
  const isNight = player.region === slowRegion && slowHours.includes(new Date(atMs).getUTCHours());
  const isSlow = isNight && event['queue'] === 'ranked';
  return { ...event, waited_seconds: isSlow ? random.whole(240, 720) : random.whole(8, 55) };
}

function performanceOf(gpu: string, build: string, random: Random) {
  return {
    gpu,
    build,
    frames_per_second: random.whole(48, 144),
    frame_ms_p99: random.whole(9, 34),
    ping_ms: random.whole(12, 140),
  };
}

function purchaseOf({ isBigSpender }: Player, random: Random) {
  return isBigSpender
    ? { item: 'Chest of embers', price_cents: random.pick([1_999, 4_999, 9_999]), currency: 'EUR' }
    : {
        item: random.pick(['Cinder skin', 'Season pass', 'Banner']),
        price_cents: random.pick([199, 499, 999]),
        currency: 'EUR',
      };
}

function crashOf({ gpu }: Player, build: string): Draft {
  const isKnown = build === crashingBuild && gpu === crashingGpu;
  const where = isKnown ? 'ParticleRenderer::flush' : 'AssetLoader::read';
  return { type: 'crash', event: { build, gpu, signal: isKnown ? 'SIGSEGV' : 'SIGABRT', where } };
}
