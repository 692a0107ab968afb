import { type EmberPlayer, eventsPerSession, pastDays, sessionsPerPlayer } from './ember-players.ts';
import { createRandom, type Random } from './random.ts';

export interface EmberEvent {
  readonly type: string;
  readonly atMs: number;
  readonly event: Readonly<Record<string, unknown>>;
  /** Whether the declaration rejects it. */
  readonly isFaulty: boolean;
}

export interface EmberSession {
  readonly player: EmberPlayer;
  readonly startMs: number;
  /** In their order: `eventsPerSession` that are accepted, and those that are rejected. */
  readonly events: readonly EmberEvent[];
}

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** From one session of a player to the next on the same day. The longest session is shorter. */
const sessionStepMs = 40 * minuteMs;
/** The last day is as long as this at least: just after midnight it begins before midnight. */
const shortestDayMs = 180 * minuteMs;
const marginMs = 15 * minuteMs;

interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * A day of the past, from 0 to `pastDays - 1`. They are the calendar days of UTC, because retention counts those. The last one ends
 * now. The first one starts less than 30 days ago, so that no event reaches the limit of 30 days while it is sent.
 */
function pastDay(day: number, endMs: number): Period {
  const today = endMs - (endMs % dayMs);
  if (day === pastDays - 1) return { startMs: Math.min(today, endMs - shortestDayMs), endMs };
  const startMs = today - (pastDays - 1 - day) * dayMs;
  return { startMs: startMs + marginMs, endMs: startMs + dayMs - marginMs };
}

/** All sessions of a player before `endMs`, which is the end of the last day. Equal for equal arguments. */
export function pastSessions(player: EmberPlayer, endMs: number): EmberSession[] {
  const random = createRandom(0x5e55_0000 + player.number);
  const days = [0, ...player.returns];
  const perDay = days.map((_, n) => Math.floor((sessionsPerPlayer + days.length - 1 - n) / days.length));
  const sessions: EmberSession[] = [];
  for (const [n, day] of days.entries()) {
    const times = perDay[n] ?? 0;
    const { startMs, endMs: dayEndMs } = pastDay(player.firstDay + day, endMs);
    const stepMs = Math.min(sessionStepMs, (dayEndMs - startMs) / times);
    // The sessions of a day follow each other, so that few of them are on two days in the reader's time zone.
    const firstMs = startMs + random.whole(0, Math.floor(dayEndMs - startMs - times * stepMs));
    for (let time = 0; time < times; time += 1) {
      const sessionStartMs = firstMs + Math.floor(time * stepMs);
      sessions.push(
        emberSession(player, {
          startMs: sessionStartMs,
          lengthMs: (random.whole(8, 38) * minuteMs * stepMs) / sessionStepMs,
          isFirst: sessions.length === 0,
          // The crash appeared on the last two days.
          isAfterRelease: sessionStartMs >= endMs - 2 * dayMs,
          random,
        }),
      );
    }
  }
  return sessions;
}

export interface SessionPlan {
  readonly startMs: number;
  readonly lengthMs: number;
  readonly isFirst: boolean;
  /** Whether build 1.4.2 is out. */
  readonly isAfterRelease: boolean;
  readonly random: Random;
}

export const crashingBuild = '1.4.2';
export const crashingGpu = 'Radeon RX 6600';
export const slowRegion = 'sa';
/** Of UTC, when it is night in the slow region. */
export const slowHours: readonly number[] = [3, 4, 5, 6, 7, 8];
const oldBuild = '1.2.0';

export function emberSession(player: EmberPlayer, plan: SessionPlan): EmberSession {
  const { startMs, lengthMs, random } = plan;
  const build = buildOf(player, plan);
  const drafts = draftsOf({ player, plan, build });
  const crashes = willCrash(player, build, random);
  const played = drafts.slice(0, crashes ? eventsPerSession - 1 : eventsPerSession);
  const all = crashes ? [...played, crashOf(player, build)] : played;
  const step = lengthMs / eventsPerSession;
  const events = all.flatMap(({ type, event }, n) => {
    const atMs = Math.floor(startMs + n * step + random.next() * step * 0.8);
    const filled = type === 'match_finished' ? withWait(event, { atMs, player, random }) : event;
    const sent: EmberEvent = { type, atMs, event: filled, isFaulty: false };
    if (type !== 'level_up' || !player.hasOldBuild) return [sent];
    // The old build sends each level twice: as text first.
    return [{ ...sent, event: { ...event, level: String(event['level']) }, isFaulty: true }, sent];
  });
  return { player, startMs, events };
}

function buildOf(player: EmberPlayer, { isAfterRelease }: SessionPlan): string {
  if (player.hasOldBuild) return oldBuild;
  if (player.platform === 'android') return '1.4.0';
  return isAfterRelease && player.number % 10 < 7 ? crashingBuild : '1.4.1';
}

function willCrash({ gpu }: EmberPlayer, build: string, random: Random): boolean {
  return random.chance(build === crashingBuild && gpu === crashingGpu ? 0.9 : 0.008);
}

interface Draft {
  readonly type: string;
  readonly event: Readonly<Record<string, unknown>>;
}

interface SessionParts {
  readonly player: EmberPlayer;
  readonly plan: SessionPlan;
  readonly build: string;
}

function draftsOf({ player, plan, build }: SessionParts): Draft[] {
  const { isFirst, random } = plan;
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
    if (random.chance(player.isBigSpender ? 0.5 : 0.012)) {
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
  readonly player: EmberPlayer;
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

function purchaseOf({ isBigSpender }: EmberPlayer, random: Random) {
  return isBigSpender
    ? { item: 'Chest of embers', price_cents: random.pick([1_999, 4_999, 9_999]), currency: 'EUR' }
    : {
        item: random.pick(['Cinder skin', 'Season pass', 'Banner']),
        price_cents: random.pick([199, 499, 999]),
        currency: 'EUR',
      };
}

function crashOf({ gpu }: EmberPlayer, build: string): Draft {
  const isKnown = build === crashingBuild && gpu === crashingGpu;
  const where = isKnown ? 'ParticleRenderer::flush' : 'AssetLoader::read';
  return { type: 'crash', event: { build, gpu, signal: isKnown ? 'SIGSEGV' : 'SIGABRT', where } };
}
