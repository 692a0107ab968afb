import { createHash, createHmac } from 'node:crypto';
import { createSemaphore } from '@tickrate/platform';
import { HashingThreads, type HashSettings } from './hashing-threads.ts';

export interface PasswordHasherOptions {
  /** Mixed into every password and kept outside of the database. */
  readonly pepper: Uint8Array;
  /** Earlier peppers: their hashes are still verified, and then replaced by hashes with the current pepper. */
  readonly earlierPeppers?: readonly Uint8Array[];
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
  /** How many passwords are hashed at the same time (see `hashesAtOnce`), and how many may wait. */
  readonly atOnce: number;
  readonly queueLimit: number;
}

/** Argon2id over the derived value of a password. Throws HasherBusy when too many wait. */
export interface PasswordHasher {
  hash(derivedHex: string): Promise<string>;
  /**
   * A stored null takes as long as a stored hash. `rehash` is set if the password is right and the stored hash has
   * other parameters or another pepper. Throws for a hash whose pepper is unknown.
   */
  verify(
    stored: string | null,
    derivedHex: string,
  ): Promise<{ readonly ok: boolean; readonly rehash: string | null }>;
  /** Ends the threads. Hashes in progress reject, and so do later calls. */
  close(): Promise<void>;
}

export class HasherBusy extends Error {
  override readonly name = 'HasherBusy';
}

export const weakestAllowed = { memoryKiB: 19_456, passes: 2, parallelism: 1 } as const;

/** Leaves one core for the event loop and the other processes: a hash uses a whole core. */
export function hashesAtOnce(cores: number, threads: number): number {
  return Math.max(1, Math.min(cores - 1, threads));
}

export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const settings = settingsOf(options);
  const parameters = `$m=${settings.memoryCost},t=${settings.timeCost},p=${settings.parallelism}$`;
  const pepper = createPepper(options.pepper);
  const peppers = new Map(
    [...(options.earlierPeppers ?? []).map(createPepper), pepper].map((each) => [each.id, each]),
  );
  const threads = new HashingThreads(options.atOnce);
  const semaphore = createSemaphore({
    permits: threads.room,
    // Orders that a thread received in advance also wait.
    mostWaiting: Math.max(0, options.queueLimit - (threads.room - options.atOnce)),
    refusal: () => new HasherBusy('Too many passwords wait to be hashed'),
  });
  // Matches no password. Verifying it takes as long as verifying a real hash: only the parameters count.
  const nobodys = `$argon2id$v=19${parameters}${base64(16)}$${base64(32)}`;

  const hashNow = async (derivedHex: string) =>
    `${pepper.id}${await semaphore.run(() => threads.do({ password: pepper.season(derivedHex), stored: null, settings }))}`;

  return {
    hash: hashNow,
    async verify(stored, derivedHex) {
      const [used, encoded] = stored === null ? [pepper, nobodys] : split(stored, peppers);
      const password = used.season(derivedHex);
      const matches = await semaphore.run(() => threads.do({ password, stored: encoded, settings }));
      const ok = matches === true && stored !== null;
      const isCurrent = used === pepper && encoded.includes(parameters);
      return { ok, rehash: ok && !isCurrent ? await hashNow(derivedHex) : null };
    },
    close: () => threads.close(),
  };
}

function settingsOf({ memoryKiB, passes, parallelism }: PasswordHasherOptions): HashSettings {
  const least = weakestAllowed;
  if (memoryKiB < least.memoryKiB || passes < least.passes || parallelism < least.parallelism) {
    throw new RangeError(
      `Argon2id needs at least ${least.memoryKiB} KiB, ${least.passes} passes, ${least.parallelism} lane`,
    );
  }
  // Argon2id is the package's default, and its enum cannot be named where types are stripped.
  return { memoryCost: memoryKiB, timeCost: passes, parallelism };
}

function split(stored: string, peppers: ReadonlyMap<string, Pepper>): [Pepper, string] {
  const at = stored.indexOf('$');
  const pepper = peppers.get(stored.slice(0, at));
  if (pepper === undefined) throw new Error('A password was hashed with a pepper that is not known here');
  return [pepper, stored.slice(at)];
}

function base64(bytes: number): string {
  return Buffer.alloc(bytes).toString('base64').replaceAll('=', '');
}

/** A secret outside of the database that is mixed into every password. Its id allows replacing it. */
interface Pepper {
  readonly id: string;
  /** In hex: the Argon2 package accepts text only for verification. */
  season(derivedHex: string): string;
}

function createPepper(key: Uint8Array): Pepper {
  if (key.byteLength < 16) throw new RangeError('A pepper has at least 16 bytes');
  return {
    id: createHash('sha256').update('pepper id').update(key).digest('hex').slice(0, 8),
    season: (derivedHex) => createHmac('sha256', key).update(derivedHex).digest('hex'),
  };
}
