import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../../tests/faults/seeded-random.ts';
import type { ChaosProxy, Fate } from './chaos-proxy.ts';
import { type Driver, startDriver } from './driver.ts';
import { judge, type Verdict } from './judge.ts';
import { type DiskLimit, limitDisk } from './limit-disk.ts';
import type { MailPlace } from './mail.ts';
import { slowFlushes } from './slow-flushes.ts';

export interface Product extends MailPlace {
  readonly clickhouse: string;
  readonly projectId: string;
  readonly keys: { readonly public: string; readonly administrative: string };
  pidOf(app: string): number | null;
}

export interface StageOptions {
  readonly product: Product;
  readonly proxy: ChaosProxy;
  readonly command: readonly string[];
  readonly folder: string;
  readonly run: string;
  readonly random: SeededRandom;
  readonly size: number;
}

const tuning = { sealAfterMs: 200, sealBytes: 16_384, sealEvents: 100, backoffFromMs: 20, backoffToMs: 200 };
const settleMs = 60_000;
const eventsPath = '/v1/event/';

/** One way in which an SDK could lose or double an event. */
export interface Scenario {
  readonly name: string;
  /** Only for SDKs that seal and send on a thread of their own. */
  readonly needsThread?: true;
  readonly play: (stage: Stage) => Promise<void>;
}

/** What a scenario has to play with. */
export class Stage {
  readonly proxy: ChaosProxy;
  readonly random: SeededRandom;
  readonly folder: string;
  readonly size: number;
  readonly run: string;
  readonly product: Product;
  /** Accounts of players that signed in. */
  readonly players = new Set<string>();
  kills = 0;
  readonly notes: string[] = [];
  readonly #options: StageOptions;
  readonly #confirmed = new Set<number>();
  readonly #drivers = new Set<Driver>();
  #forgotten = new Set<number>();
  #next = 0;
  readonly #owners = new Map<number, string>();
  #disk: DiskLimit | null = null;
  #flushes: readonly string[] = [];
  #mayLose = 0;

  constructor(options: StageOptions) {
    this.#options = options;
    this.proxy = options.proxy;
    this.random = options.random;
    this.folder = options.folder;
    this.size = options.size;
    this.run = options.run;
    this.product = options.product;
    mkdirSync(options.folder, { recursive: true });
    this.proxy.decide(() => 'pass');
  }

  /** Starts a process on the same folder as those before it. */
  async open(
    more: object = {},
    { folder = this.folder, consent = 'granted', offsetMs = 0 } = {},
  ): Promise<Driver> {
    const driver = this.#start();
    if (offsetMs !== 0) await driver.ask({ do: 'clock', offsetMs });
    await driver.ask(this.#opening(folder, consent, more));
    return driver;
  }

  /** Starts processes, and then opens one folder in all of them at the same moment. */
  async openTogether(count: number, folder: string): Promise<Driver[]> {
    const drivers = Array.from({ length: count }, () => this.#start());
    // An answer shows that the process runs.
    await Promise.all(drivers.map((driver) => driver.ask({ do: 'clock', offsetMs: 0 })));
    await Promise.all(drivers.map((driver) => driver.ask(this.#opening(folder, 'granted', {}))));
    return drivers;
  }

  /** Resolves when the driver has called `track()` so many times. */
  async track(driver: Driver, count: number): Promise<void> {
    await driver.ask({ do: 'track', from: this.#take(count), count });
  }

  /** The same, and these events belong to an account; `device` and `device:<name>` are an installation's own. */
  async trackAs(owner: string | null, driver: Driver, count: number): Promise<void> {
    for (let n = this.#next; n < this.#next + count; n++) this.#owners.set(n, String(owner));
    await this.track(driver, count);
  }

  /** The folder of this scenario has this much space from now on. */
  limitDisk(kib: number): void {
    this.#disk = limitDisk(this.folder, kib);
  }

  /** Plays `act` while this scenario's disk has no space left. */
  async withoutSpace<T>(act: () => Promise<T>): Promise<T> {
    if (!this.#disk?.fill()) this.note('with space on the disk: no file system can be mounted');
    const result = await act();
    this.#disk?.free();
    return result;
  }

  /** Each flush to the disk takes so long from now on, in processes that start later. */
  slowDisk(flushMs: number): void {
    this.#flushes = slowFlushes(this.#options.folder, flushMs);
    if (this.#flushes.length === 0) this.note('with a fast disk: there is no cc on the PATH');
  }

  /** What a reader of the results should know. */
  note(text: string): void {
    this.notes.push(text);
  }

  /** The same for a process that will be killed meanwhile. */
  trackUnseen(driver: Driver, count: number): void {
    driver.send({ do: 'track', from: this.#take(count), count });
  }

  /** Resolves when so many more events are confirmed. */
  async confirmedMore(count: number): Promise<void> {
    const target = this.#confirmed.size + count;
    await until(() => this.#confirmed.size >= target, 'events to be confirmed');
  }

  /** Resolves when `track()` returns false. */
  async trackUntilRefused(driver: Driver): Promise<void> {
    const before = driver.refused;
    await this.#trackUntil(driver, () => driver.refused > before);
  }

  /** Resolves when `track()` returns true. */
  async trackUntilKept(driver: Driver): Promise<void> {
    const before = this.#confirmed.size;
    await this.#trackUntil(driver, () => this.#confirmed.size > before);
  }

  async #trackUntil(driver: Driver, condition: () => boolean): Promise<void> {
    const untilMs = performance.now() + settleMs;
    while (!condition()) {
      if (performance.now() > untilMs) throw new Error('waited in vain for another answer of track()');
      await this.track(driver, 1);
      await delay(10);
    }
  }

  /** Resolves when a request with events arrives. */
  nextEvents(): Promise<void> {
    return new Promise((resolve) => {
      this.proxy.onRequest((path) => {
        if (path.startsWith(eventsPath)) resolve();
      });
    });
  }

  async kill(driver: Driver): Promise<void> {
    this.kills++;
    this.#drivers.delete(driver);
    await driver.kill();
  }

  killApp(app: string): void {
    const pid = this.#options.product.pidOf(app);
    if (pid !== null) process.kill(pid, 'SIGKILL');
  }

  /** Each request with events meets this fate from now on, and every other one passes. */
  decideEvents(fateOf: () => Fate): void {
    this.proxy.decide((path) => (path.startsWith(eventsPath) ? fateOf() : 'pass'));
  }

  /** Tracks until the disk is full. */
  async fillDisk(driver: Driver): Promise<void> {
    for (let count = 0; driver.refused === 0 && count < 60; count++) await this.track(driver, 200);
    if (driver.refused === 0) throw new Error('the disk is not full');
  }

  /** Events that were confirmed, and that consent forbids to keep. */
  async forgotten(act: () => Promise<void>): Promise<void> {
    const before = new Set(this.#confirmed);
    await act();
    this.#forgotten = new Set([...this.#confirmed].filter((n) => !before.has(n)));
  }

  mayLose(count: number): void {
    this.#mayLose = count;
  }

  /** Sends everything and ends the process. */
  async finish(driver: Driver): Promise<void> {
    const { sent } = await driver.ask({ do: 'flush', timeoutMs: 45_000 });
    if (sent !== true) throw new Error(`flush did not send everything: ${driver.complaints}`);
    await driver.ask({ do: 'close', timeoutMs: 1_000 });
    this.#drivers.delete(driver);
    await driver.end();
  }

  /** Ends what a failed scenario left. */
  async leave(): Promise<void> {
    await Promise.all([...this.#drivers].map((driver) => driver.kill()));
    this.#disk?.remove();
  }

  /** What ClickHouse says, once it has everything or no more arrives. */
  async verdict(): Promise<Verdict> {
    const { product, run } = this.#options;
    const confirmed = new Set([...this.#confirmed].filter((n) => !this.#forgotten.has(n)));
    const untilMs = performance.now() + settleMs;
    for (;;) {
      const found = await judge(product, { run, confirmed, owners: this.#owners, players: this.players });
      // Losses that the SDK counted: no more, and except for those that may have been stored before, no fewer.
      if (found.lost.length <= this.#mayLose) return { ...found, lost: [] };
      if (performance.now() >= untilMs) return found;
      await delay(100);
    }
  }

  #start(): Driver {
    const command = [...(this.#disk?.prefix ?? []), ...this.#flushes, ...this.#options.command];
    const driver = startDriver(command, this.#confirmed);
    this.#drivers.add(driver);
    return driver;
  }

  #opening(folder: string, consent: string, more: object) {
    const { run, product, proxy } = this.#options;
    const where = { url: proxy.url, key: product.keys.public, folder };
    return { do: 'open', run, ...where, consent, principal: 'device', tuning: { ...tuning, ...more } };
  }

  #take(count: number): number {
    const from = this.#next;
    this.#next += count;
    return from;
  }
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  const untilMs = performance.now() + settleMs;
  while (!condition()) {
    if (performance.now() > untilMs) throw new Error(`waited in vain for ${what}`);
    await delay(2);
  }
}
