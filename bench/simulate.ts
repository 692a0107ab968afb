import {
  batchAgeMs,
  batchRows,
  costs,
  gatherMs,
  insertsOfWorker,
  lockMs,
  type Part,
  parts,
} from './event-costs.ts';

type Sizes = Readonly<Record<Part, number>>;

/** A share of use that leaves room for the busiest minutes of a day and for a lost process. */
const plannedUse = 0.6;
const insertUs = costs.clickhouse.value * costs.insert.value;
const tickMs = 5;
const warmMs = 5_000;
const endMs = 90_000;
const lossMs = 20_000;
const shardBackMs = 40_000;
/** `WORKER_CHUNKS` and a quarter, of up to 1,000 events. */
const rowsInHand = 500_000;

export const partNames = Object.keys(parts) as readonly Part[];

/** The processes that handle the rate at the planned use. */
export function sizesFor(rate: number): Sizes {
  const needed = (part: Part) =>
    Math.max(parts[part].least, Math.ceil(utilisationOf(part, { rate, count: 1 }) / plannedUse));
  return {
    gateway: needed('gateway'),
    queue: needed('queue'),
    worker: needed('worker'),
    ledger: 1,
    clickhouse: needed('clickhouse'),
  };
}

/** The utilisation of all processes of a part: busy cores by cores. */
export function utilisationOf(
  part: Part,
  { rate, count }: { readonly rate: number; readonly count: number },
): number {
  return (rate * parts[part].us) / 1e6 / (count * parts[part].cores);
}

/** The part that is full first when the rate grows, and the rate at which it is. */
export function firstFull(rate: number, sizes: Sizes): { readonly part: Part; readonly full: number } {
  const [first] = partNames
    .map((part) => ({ part, full: rate / utilisationOf(part, { rate, count: sizes[part] }) }))
    .toSorted((a, b) => a.full - b.full);
  if (first === undefined) throw new Error('no parts');
  return first;
}

/** Events that arrived together. */
interface Lot {
  readonly atMs: number;
  readonly events: number;
}

/** Lots, first in, first out. */
class Line {
  readonly #lots: Lot[] = [];
  events = 0;

  get oldestMs(): number {
    return this.#lots[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  add(lots: readonly Lot[]): void {
    for (const lot of lots) this.events += lot.events;
    this.#lots.push(...lots);
  }

  addFirst(lots: readonly Lot[]): void {
    for (const lot of lots) this.events += lot.events;
    this.#lots.unshift(...lots);
  }

  take(most: number): Lot[] {
    const taken: Lot[] = [];
    let left = most;
    while (left > 0) {
      const lot = this.#lots.shift();
      if (lot === undefined) break;
      const events = Math.min(lot.events, left);
      taken.push({ ...lot, events });
      if (events < lot.events) this.#lots.unshift({ ...lot, events: lot.events - events });
      left -= events;
      this.events -= events;
    }
    return taken;
  }
}

interface Insert {
  readonly lots: readonly Lot[];
  leftMs: number;
}

interface Worker {
  readonly waiting: Line;
  inserts: Insert[];
}

export type Loss = 'none' | 'worker' | 'shard';

export interface Outcome {
  /** Accepted events that are not stored yet. */
  readonly depth: { readonly mean: number; readonly most: number };
  readonly delayMs: {
    readonly mean: number;
    readonly p50: number;
    readonly p99: number;
    readonly most: number;
  };
  /** From the loss until the depth is ordinary again; null if it never is. */
  readonly backAfterMs: number | null;
}

/** The event path at one moment. */
interface Path {
  readonly gateways: Line;
  readonly shards: readonly Line[];
  workers: readonly Worker[];
  /** What a lost worker held, until its lock ends. */
  locked: readonly Lot[];
}

/**
 * Ninety seconds of the event path, in steps of 5 ms: gateways, shards of the queue, workers with their batches and two
 * inserts each, ClickHouse. A lost worker is not replaced. A lost shard is back after 20 s.
 */
export function simulate(rate: number, sizes: Sizes, loss: Loss): Outcome {
  const random = createRandom();
  const path: Path = {
    gateways: new Line(),
    shards: Array.from({ length: sizes.queue }, () => new Line()),
    workers: Array.from({ length: sizes.worker }, () => ({ waiting: new Line(), inserts: [] })),
    locked: [],
  };
  const depths: { readonly nowMs: number; readonly events: number }[] = [];
  const delays: { readonly ms: number; readonly events: number }[] = [];
  for (let nowMs = 0; nowMs < endMs; nowMs += tickMs) {
    if (loss === 'worker') loseWorker(path, nowMs);
    const isAway = loss === 'shard' && nowMs >= lossMs && nowMs < shardBackMs;
    path.gateways.add([{ atMs: nowMs, events: ((rate * tickMs) / 1_000) * (0.5 + random()) }]);
    moveThroughQueue(path, isAway ? path.shards.slice(1) : path.shards, sizes.gateway);
    for (const worker of path.workers) startInserts(worker, nowMs);
    for (const lot of runInserts(path.workers, sizes.clickhouse)) {
      if (lot.atMs >= warmMs) delays.push({ ms: nowMs - lot.atMs + gatherMs, events: lot.events });
    }
    depths.push({ nowMs, events: heldBy(path) + (rate * gatherMs) / 1_000 });
  }
  return outcomeOf(
    depths.filter(({ nowMs }) => nowMs >= warmMs),
    delays,
  );
}

function loseWorker(path: Path, nowMs: number): void {
  const [lost, ...others] = path.workers;
  if (nowMs === lossMs && lost !== undefined) {
    path.locked = [
      ...lost.inserts.flatMap(({ lots }) => lots),
      ...lost.waiting.take(Number.POSITIVE_INFINITY),
    ];
    path.workers = others;
  }
  if (nowMs === lossMs + lockMs) {
    lost?.waiting.addFirst(path.locked);
    path.locked = [];
  }
}

/** The events that so many processes of a part handle in a step. */
function perTick(part: Part, count: number): number {
  return (count * parts[part].cores * tickMs * 1_000) / parts[part].us;
}

/** A shard adds before it hands out, each for half of its cost. */
function moveThroughQueue({ gateways, workers }: Path, live: readonly Line[], gatewayCount: number): void {
  const most = 2 * perTick('queue', live.length);
  const added = Math.min(gateways.events, perTick('gateway', gatewayCount), most);
  for (const shard of live) shard.add(gateways.take(added / live.length));
  let left = most - added;
  for (const worker of workers) {
    for (const shard of live) {
      const room = rowsInHand - worker.waiting.events - eventsIn(worker.inserts);
      const lots = shard.take(Math.min(perTick('worker', 1) / live.length, left, room));
      left -= eventsOf(lots);
      worker.waiting.add(lots);
    }
  }
}

function heldBy({ gateways, shards, workers, locked }: Path): number {
  const lines = [gateways, ...shards, ...workers.map(({ waiting }) => waiting)];
  return lines.reduce(
    (sum, { events }) => sum + events,
    eventsOf(locked) + eventsIn(workers.flatMap(({ inserts }) => inserts)),
  );
}

function startInserts({ waiting, inserts }: Worker, nowMs: number): void {
  while (inserts.length < insertsOfWorker) {
    if (nowMs - waiting.oldestMs < batchAgeMs * (1 - waiting.events / batchRows)) return;
    if (waiting.events === 0) return;
    const lots = waiting.take(batchRows);
    inserts.push({ lots, leftMs: (eventsOf(lots) * insertUs) / 1_000 });
  }
}

/** Each insert uses a core at most, and merges the rest. Returns what is stored now. */
function runInserts(workers: readonly Worker[], servers: number): Lot[] {
  const active = workers.reduce((sum, { inserts }) => sum + inserts.length, 0);
  const coreMs = servers * parts.clickhouse.cores * tickMs * costs.insert.value;
  const shareMs = Math.min(tickMs, coreMs / Math.max(1, active));
  return workers.flatMap((worker) => {
    for (const insert of worker.inserts) insert.leftMs -= shareMs;
    const done = worker.inserts.filter(({ leftMs }) => leftMs <= 0);
    worker.inserts = worker.inserts.filter(({ leftMs }) => leftMs > 0);
    return done.flatMap(({ lots }) => lots);
  });
}

function eventsIn(inserts: readonly Insert[]): number {
  return inserts.reduce((sum, { lots }) => sum + eventsOf(lots), 0);
}

function eventsOf(lots: readonly Pick<Lot, 'events'>[]): number {
  return lots.reduce((sum, { events }) => sum + events, 0);
}

function outcomeOf(
  depths: readonly { readonly nowMs: number; readonly events: number }[],
  delays: { readonly ms: number; readonly events: number }[],
): Outcome {
  delays.sort((a, b) => a.ms - b.ms);
  const all = eventsOf(delays);
  const quantile = (share: number) => {
    let seen = 0;
    const found = delays.find(({ events }) => {
      seen += events;
      return seen >= share * all;
    });
    return found?.ms ?? Number.NaN;
  };
  const before = depths.filter(({ nowMs }) => nowMs < lossMs).map(({ events }) => events);
  const lastHigh = depths.findLast(({ events }) => events > 1.2 * Math.max(...before))?.nowMs ?? lossMs;
  return {
    depth: {
      mean: depths.reduce((sum, { events }) => sum + events, 0) / depths.length,
      most: depths.reduce((most, { events }) => Math.max(most, events), 0),
    },
    delayMs: {
      mean: delays.reduce((sum, { ms, events }) => sum + ms * events, 0) / all,
      p50: quantile(0.5),
      p99: quantile(0.99),
      most: delays.at(-1)?.ms ?? Number.NaN,
    },
    backAfterMs: lastHigh >= endMs - 1_000 ? null : lastHigh - lossMs,
  };
}

/** The same numbers in every run. */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
