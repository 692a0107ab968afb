import { createRandom } from './random.ts';

/** A simulated player of Ember Arena. All of it depends on the number of the player alone. */
export interface EmberPlayer {
  /** From 0. */
  readonly number: number;
  readonly deviceId: string;
  /** In the block that is reserved for benchmarks of networks. */
  readonly address: string;
  readonly region: (typeof regions)[number];
  readonly gpu: string;
  readonly platform: string;
  /** Still plays a build that sends the level as text. */
  readonly hasOldBuild: boolean;
  readonly isBigSpender: boolean;
  /** The day of the first session: 0 is the oldest. */
  readonly firstDay: number;
  /** The days after the first on which the player came back. */
  readonly returns: readonly number[];
}

export const playerCount = 600;
export const pastDays = 30;
export const sessionsPerPlayer = 6;
export const eventsPerSession = 30;

const regions = ['eu', 'eu', 'na', 'na', 'asia', 'sa'] as const;
const gpus = [
  'GeForce RTX 3060',
  'GeForce RTX 4070',
  'GeForce GTX 1660',
  'Radeon RX 6600',
  'Radeon RX 6600',
  'Arc A770',
  'Adreno 740',
  'Apple M2',
] as const;
const platforms = ['windows', 'windows', 'windows', 'linux', 'macos', 'android'] as const;
const goldenRatio = 0.618_033_988_75;

/** The share of players who come back on a day after the first. */
function returnShare(day: number): number {
  if (day === 1) return 0.38;
  if (day === 7) return 0.14;
  return day < 7 ? 0.3 * (2 / day) ** 0.6 : 0.14 * (7 / day) ** 1.1;
}

export function createEmberPlayers(): EmberPlayer[] {
  return Array.from({ length: playerCount }, (_, number) => createPlayer(number));
}

function createPlayer(number: number): EmberPlayer {
  const random = createRandom(0xe3be_0000 + number);
  const firstDay = number % pastDays;
  const rank = Math.floor(number / pastDays);
  // Spreads those who return evenly over the players of each first day.
  const place = (rank * goldenRatio + firstDay * 0.37) % 1;
  const isOnDay = (day: number) =>
    day === 1 || day === 7 ? (place + day * 0.29) % 1 < returnShare(day) : random.chance(returnShare(day));
  const days = Array.from({ length: pastDays - 1 - firstDay }, (_, n) => n + 1).filter(isOnDay);
  const wanted = [1, 7].filter((day) => days.includes(day));
  const others = days.filter((day) => !wanted.includes(day));
  while (others.length > sessionsPerPlayer - 1 - wanted.length)
    others.splice(random.whole(0, others.length - 1), 1);
  return {
    number,
    deviceId: `ember-arena-${number}`,
    address: `198.18.${Math.floor(number / 250)}.${(number % 250) + 1}`,
    region: random.pick(regions),
    gpu: random.pick(gpus),
    platform: random.pick(platforms),
    hasOldBuild: number % 25 === 7,
    isBigSpender: number % 33 === 5,
    firstDay,
    returns: [...wanted, ...others].toSorted((a, b) => a - b),
  };
}
