import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '@tickrate/testkit';
import { createWarehouse } from '@tickrate/warehouse';
import { untilReady } from '../event-path/app-process.ts';
import { createSendingProject } from '../event-path/prepare-stores.ts';
import { findFreePorts, type StandaloneFacts, startStandaloneWith } from '../standalone-run.ts';
import { createEventGenerator, type EventGenerator } from './event-generator.ts';
import { judgeRound, type RoundVerdict } from './judge-round.ts';
import { numberedType } from './plan-request.ts';
import { createSeededRandom } from './seeded-random.ts';
import { type DiskKind, fillSuddenly, keepAlmostFull, mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { observeStack, type StackObserver } from './stack-observer.ts';

export interface FullDiskOptions {
  readonly kind: DiskKind;
  readonly seed: number;
  /** How often the disk is filled to the last byte; every second time it is only nearly filled around it. */
  readonly fills: number;
  readonly timeoutMs: number;
  readonly report: (line: string) => void;
}

export interface FullDiskRun {
  readonly kind: DiskKind;
  readonly verdict: RoundVerdict;
  readonly refused: number;
}

const mebibyte = 1024 ** 2;
const diskMegabytes = 1_024;
const reserveBytes = 160 * mebibyte;

/** `npm start` on a small file system that another program fills under load. Null where nothing can be mounted. */
export async function runFullDisk(options: FullDiskOptions): Promise<FullDiskRun | null> {
  const disk = mountSmallDisk(options.kind, diskMegabytes);
  if (disk === null) return null;
  try {
    return await runOn(disk, options);
  } finally {
    disk.remove();
  }
}

async function runOn(disk: SmallDisk, options: FullDiskOptions): Promise<FullDiskRun> {
  const folder = join(disk.path, 'data');
  const port = await findFreePorts();
  const product = await startProduct(folder, port);
  try {
    const stack = await product.stack();
    const random = createSeededRandom(options.seed, `full disk ${options.kind}`);
    const project = await createSendingProject(stack.postgresUrl, numberedType);
    const ports = [Number(new URL(product.facts().gateway).port)];
    const generator = createEventGenerator({ ...project, ports, senders: 4, random });
    await generator.run(fillAgainAndAgain(disk, generator, options));
    const verdict = await judge(product, generator, options.timeoutMs);
    return { kind: options.kind, verdict, refused: generator.report().refused };
  } finally {
    await product.stop();
  }
}

/** Fills the disk under load and frees it. Each time, inserts must recover without help. */
async function fillAgainAndAgain(
  disk: SmallDisk,
  generator: EventGenerator,
  { fills, timeoutMs, report }: FullDiskOptions,
): Promise<void> {
  await delay(2_000);
  for (let fill = 0; fill < fills; fill++) {
    await takeReserve(disk, generator, timeoutMs);
    disk.fill();
    await delay(1_500);
    if (fill % 2 === 1) {
      await keepAlmostFull(disk);
      await fillSuddenly(disk);
    }
    disk.release();
    const before = generator.events.acknowledged;
    const beganMs = performance.now();
    await waitUntil(() => generator.events.acknowledged > before + 100, {
      timeoutMs,
      what: 'events to be taken again',
    });
    report(`  full and freed: events are taken again after ${Math.round(performance.now() - beganMs)} ms`);
    await delay(1_000);
  }
}

/** The gateway refuses while there is still space, before anything breaks. */
async function takeReserve(disk: SmallDisk, generator: EventGenerator, timeoutMs: number): Promise<void> {
  disk.fill();
  disk.release(reserveBytes - 16 * mebibyte);
  const before = generator.report().refused;
  await waitUntil(() => generator.report().refused > before, {
    timeoutMs,
    what: 'the gateway to refuse events while the reserve is all that is left',
  });
}

type Product = Awaited<ReturnType<typeof startProduct>>;

/** Checks after recovery and again after a restart, when the stores set broken parts aside. */
async function judge(product: Product, generator: EventGenerator, timeoutMs: number): Promise<RoundVerdict> {
  const first = await judgeNow(product, generator, timeoutMs);
  await product.restart();
  const second = await judgeNow(product, generator, timeoutMs);
  const failures = [...first.failures, ...second.failures.map((words) => `after a restart: ${words}`)];
  return { ...second, recoveredMs: first.recoveredMs, failures };
}

async function judgeNow(
  product: Product,
  generator: EventGenerator,
  timeoutMs: number,
): Promise<RoundVerdict> {
  const stack = await product.stack();
  const observer: StackObserver = await observeStack(stack);
  try {
    const verdict = await judgeRound({ stack, observer, generator, timeoutMs });
    const unreadable = await findUnreadable(stack.clickhouseUrl);
    return { ...verdict, failures: [...verdict.failures, ...unreadable] };
  } finally {
    await observer.close();
  }
}

/** Every column of every row. */
async function findUnreadable(clickhouseUrl: string): Promise<string[]> {
  const warehouse = createWarehouse({ clickhouseUrl });
  try {
    await warehouse.query('SELECT sum(NOT ignore(*)) AS rows FROM tickrate.events');
    return [];
  } catch (error) {
    return [`not every row can be read: ${String(error)}`];
  } finally {
    await warehouse.close();
  }
}

async function startProduct(folder: string, port: number) {
  const launch = async () => {
    const run = startStandaloneWith({ DISK_RESERVE: String(reserveBytes) }, folder, '--port', String(port));
    await run.ready();
    return run;
  };
  const end = async (run: Awaited<ReturnType<typeof launch>>) => {
    run.process.kill('SIGINT');
    await run.exit();
  };
  let running = await launch();
  const facts = (): StandaloneFacts => running.file();
  return {
    facts,
    async stack() {
      const { postgres, clickhouse, gateway } = facts();
      return {
        postgresUrl: postgres,
        queueUrl: postgres,
        clickhouseUrl: clickhouse,
        surprises: () => [],
        ready: (timeoutMs: number) => untilReady(Number(new URL(gateway).port), timeoutMs),
      };
    },
    async restart() {
      await end(running);
      running = await launch();
    },
    stop: () => end(running),
  };
}
