import { createRandom } from './random.ts';

/** A simulated player of Ember Arena. All of it depends on the number of the player alone. */
export interface Player {
  /** From 0, in the order of their first days. */
  readonly number: number;
  /** In the block that is reserved for benchmarks of networks. */
  readonly address: string;
  readonly region: (typeof regions)[number];
  readonly gpu: string;
  readonly platform: string;
  /** Still plays a build that sends the level as text. */
  readonly hasOldBuild: boolean;
  readonly isBigSpender: boolean;
}

export const newPlayersPerDay = 40;
/** After that, a player does not come back. */
export const longestReturn = 30;

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

export function createPlayer(number: number): Player {
  const random = createRandom(0xe3be_0000 + number);
  return {
    number,
    address: `198.18.${Math.floor(number / 250) % 256}.${(number % 250) + 1}`,
    region: random.pick(regions),
    gpu: random.pick(gpus),
    platform: random.pick(platforms),
    hasOldBuild: number % 10 === 7,
    isBigSpender: number % 33 === 5,
  };
}

/** Whether a player plays so many days after the first. */
export function playsAfter(number: number, days: number): boolean {
  if (days === 0) return true;
  // Spreads those who return evenly over the players of each first day.
  const place = (number * goldenRatio + days * 0.29) % 1;
  return place < returnShare(days);
}

/** The share of players who come back on a day after the first. */
function returnShare(day: number): number {
  if (day === 1) return 0.38;
  return day < 7 ? 0.3 * (2 / day) ** 0.6 : 0.14 * (7 / day) ** 1.1;
}
