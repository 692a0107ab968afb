import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isDiskFull } from '../core/store.ts';

const lookMs = 1_000;
const touchMs = 10_000;
const checkMs = 30_000;
const freeMs = 60_000;

/** One process owns a run of the folder while it refreshes the file `lock` in it. Others adopt a run that nobody owns. */
export class RunLock {
  /** The run of this process. */
  run = '';
  readonly #folder: string;
  readonly #randomHex: (bytes: number) => string;
  readonly #onAbsent: (run: string) => void;
  #identity = '';
  #touchedMs = 0;
  #isDeleted = false;
  #timer: NodeJS.Timeout | undefined;

  /** Calls `onAbsent` within a second after the run is gone. */
  constructor(folder: string, randomHex: (bytes: number) => string, onAbsent: (run: string) => void) {
    this.#folder = folder;
    this.#onAbsent = onAbsent;
    this.#randomHex = randomHex;
  }

  /** Begins a new run. Throws if it cannot be written; then nothing is left of it. */
  begin(): void {
    this.run = `${Date.now().toString(16).padStart(12, '0')}${this.#randomHex(2)}-${this.#randomHex(4)}`;
    this.#identity = `${process.pid} ${hostname()} ${this.#randomHex(8)}`;
    this.#touchedMs = 0;
    this.#isDeleted = false;
    // Under another name until it has a lock: another start adopts, and then deletes, a run without one.
    const unnamed = join(this.#folder, `${this.run}.new`);
    mkdirSync(unnamed);
    try {
      writeFileSync(join(unnamed, 'lock'), this.#identity);
      renameSync(unnamed, join(this.#folder, this.run));
    } catch (error) {
      rmSync(unnamed, { recursive: true, force: true });
      throw error;
    }
    this.#touchedMs = Date.now();
    this.#timer ??= setInterval(() => this.#look(), lookMs).unref();
  }

  /** False if the run was adopted by another process, because this one was stopped for long. */
  isHeld(): boolean {
    if (Math.abs(Date.now() - this.#touchedMs) < checkMs) return true;
    if (!this.#isMine()) return false;
    this.#touch();
    return true;
  }

  /** True for the runs that this process holds, and for one of a process that ended. */
  isUnused(run: string): boolean {
    if (run === this.run) return true;
    const lock = this.#ownerOf(run);
    if (lock === null || lock === this.#identity) return true;
    const [pid = '', host = ''] = lock.split(' ');
    if (host === hostname() && !isAlive(Number(pid))) return true;
    return Date.now() - statSync(this.#path(run)).mtimeMs > freeMs;
  }

  /** Makes the run this process's, also on a full disk: two processes that send one segment use one key. */
  adopt(run: string): boolean {
    try {
      if (!this.isUnused(run)) return false;
      writeFileSync(this.#path(run), this.#identity);
      return this.#ownerOf(run) === this.#identity;
    } catch (error) {
      return isDiskFull(error);
    }
  }

  /** Leaves the run of this process, and those that it adopted, to the next start. */
  release(adopted: Iterable<string>): void {
    clearInterval(this.#timer);
    for (const run of [this.run, ...adopted])
      if (this.#ownerOf(run) === this.#identity) rmSync(this.#path(run), { force: true });
  }

  /** True while this process has its run and can write into it. */
  isWritable(): boolean {
    try {
      accessSync(join(this.#folder, this.run), constants.W_OK);
      return this.#isMine();
    } catch {
      return false;
    }
  }

  isAbsent(): boolean {
    return this.#ownerOf(this.run) === null;
  }

  /** True if the run is gone and was touched too recently for another process to have adopted it. */
  isDeleted(): boolean {
    this.#isDeleted ||= this.isAbsent() && Math.abs(Date.now() - this.#touchedMs) < freeMs;
    return this.#isDeleted;
  }

  /** False if another process has the run, or if it was deleted. */
  #isMine(): boolean {
    return this.#ownerOf(this.run) === this.#identity;
  }

  #look(): void {
    try {
      if (this.isAbsent()) this.#onAbsent(this.run);
      else if (Math.abs(Date.now() - this.#touchedMs) >= touchMs) this.#touch();
    } catch {
      // The folder cannot be made again. The next append finds out.
    }
  }

  #touch(): void {
    try {
      if (!this.#isMine()) {
        this.isDeleted();
        this.#touchedMs = 0;
        return;
      }
      const now = new Date();
      utimesSync(this.#path(this.run), now, now);
      this.#touchedMs = now.getTime();
    } catch {
      // The next append finds out.
    }
  }

  #ownerOf(run: string): string | null {
    try {
      return readFileSync(this.#path(run), 'utf8');
    } catch {
      return null;
    }
  }

  #path(run: string): string {
    return join(this.#folder, run, 'lock');
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM';
  }
}
