import { createHash, createHmac } from 'node:crypto';
import { systemError } from '@tickrate/contract';
import { createSemaphore } from '@tickrate/platform';
import { HashingThreads, type HashSettings } from './hashing-threads.ts';

export interface PasswordHasherOptions {
  /** Mixed into every password and kept outside of the database. Hashes name it by an id. */
  readonly pepper: Uint8Array;
  readonly memoryKiB: number;
  readonly passes: number;
  /** How many passwords are hashed at the same time (see `hashesAtOnce`), and how many may wait. */
  readonly atOnce: number;
  readonly queueLimit: number;
}

/** Argon2id over the derived value of a password. Throws 6001 when too many wait. */
export interface PasswordHasher {
  hash(derivedHex: string): Promise<string>;
  /**
   * A stored null takes as long as a stored hash. `rehash` is set if the password is right and the stored hash has
   * other parameters. Throws for a hash whose pepper is unknown.
   */
  verify(
    stored: string | null,
    derivedHex: string,
  ): Promise<{ readonly ok: boolean; readonly rehash: string | null }>;
  /** How many hashes wait for a thread. */
  waiting(): number;
  /** Ends the threads. Hashes in progress reject, and so do later calls. */
  close(): Promise<void>;
}

export const weakestAllowed = { memoryKiB: 19_456, passes: 2 } as const;

/** Leaves one core for the event loop and the other processes: a hash uses a whole core. */
export function hashesAtOnce(cores: number, threads: number): number {
  return Math.max(1, Math.min(cores - 1, threads));
}

export function createPasswordHasher(options: PasswordHasherOptions): PasswordHasher {
  const settings = settingsOf(options);
  const parameters = `$m=${settings.memoryCost},t=${settings.timeCost},p=${settings.parallelism}$`;
  const { pepper } = options;
  if (pepper.byteLength < 16) throw new RangeError('A pepper has at least 16 bytes');
  const pepperId = createHash('sha256').update('pepper id').update(pepper).digest('hex').slice(0, 8);
  // In hex: the Argon2 package accepts text only for verification.
  const season = (derivedHex: string) => createHmac('sha256', pepper).update(derivedHex).digest('hex');
  const threads = new HashingThreads(options.atOnce);
  const semaphore = createSemaphore({
    permits: threads.room,
    // Orders that a thread received in advance also wait.
    mostWaiting: Math.max(0, options.queueLimit - (threads.room - options.atOnce)),
    refusal: () => systemError('temporarilyUnavailable', { retryAfterSeconds: 2 }),
  });
  // Matches no password. Verifying it takes as long as verifying a real hash: only the parameters count.
  const nobodys = `$argon2id$v=19${parameters}${base64(16)}$${base64(32)}`;

  const run = (password: string, stored: string | null) =>
    semaphore.run(() => threads.do({ password, stored, settings }));
  const hash = async (derivedHex: string) => `${pepperId}${await run(season(derivedHex), null)}`;

  return {
    hash,
    async verify(stored, derivedHex) {
      if (stored !== null && !stored.startsWith(`${pepperId}$`))
        throw new Error('A password was hashed with a pepper that is not known here');
      const encoded = stored === null ? nobodys : stored.slice(pepperId.length);
      const ok = (await run(season(derivedHex), encoded)) === true && stored !== null;
      return { ok, rehash: ok && !encoded.includes(parameters) ? await hash(derivedHex) : null };
    },
    waiting: semaphore.waiting,
    close: () => threads.close(),
  };
}

function settingsOf({ memoryKiB, passes }: PasswordHasherOptions): HashSettings {
  const least = weakestAllowed;
  if (memoryKiB < least.memoryKiB || passes < least.passes) {
    throw new RangeError(`Argon2id needs at least ${least.memoryKiB} KiB and ${least.passes} passes`);
  }
  // Argon2id is the package's default, and its enum cannot be named where types are stripped.
  return { memoryCost: memoryKiB, timeCost: passes, parallelism: 1 };
}

function base64(bytes: number): string {
  return Buffer.alloc(bytes).toString('base64').replaceAll('=', '');
}
