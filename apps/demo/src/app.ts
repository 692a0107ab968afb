import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import {
  type App,
  addOperatorRoutes,
  createAddressVoucher,
  createHealth,
  createHttpServer,
  createLogger,
  createMetrics,
  sleep,
} from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry, type DemoRecord, demoChannel } from '@tickrate/registry';
import type { DemoValues } from './config.ts';
import { type Game, startGame } from './play.ts';

/** While a game is played, and while none is and nobody asks for one. */
const lookEveryMs = { playing: 1_000, waiting: 60_000 };

/** The simulated game: plays while the registry says so. It is a customer: only its project and its key come from the registry. */
export function createDemo(values: DemoValues): App {
  const logger = createLogger({ name: 'demo', level: values.logLevel });
  const metrics = createMetrics({ processMetrics: true });
  const onFault = (error: unknown) => logger.warn({ err: error }, 'the simulated game was interrupted');
  const postgres = createPostgres({
    postgresUrl: values.postgresUrl,
    name: 'tickrate-demo',
    maxConnections: 2,
    onFault,
  });
  const registry = createRegistry({ postgres, now: Date.now });
  const voucher = createAddressVoucher(values.secretsKey, Date.now);
  const device = {
    wallMs: Date.now,
    monotonicMs: () => performance.now(),
    random: Math.random,
    randomHex: (bytes: number) => randomBytes(bytes).toString('hex'),
    fetch,
  };
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let game: Game | null = null;
  let mayStart = values.startsByItself;

  /** The first project of the installation is older than the demo. */
  async function startIfAsked({ projectId }: DemoRecord): Promise<void> {
    if (!mayStart) return;
    if (projectId === null && (await registry.projects()).length === 0) return;
    mayStart = false;
    if (projectId === null) await registry.beginDemo();
  }

  async function look(): Promise<void> {
    const record = await registry.keepDemo(game?.progress ?? null);
    await startIfAsked(record);
    if (record.projectId === (game?.projectId ?? null) && game?.isPlaying !== false) return;
    await game?.stop();
    const { projectId, startedMs } = record;
    // The players go with their project.
    if (projectId === null) rmSync(values.folder, { recursive: true, force: true });
    game =
      projectId === null || startedMs === null
        ? null
        : startGame({ ...values, ...record, projectId, startedMs, registry, voucher, device, onFault });
  }

  async function run({ signal }: AbortController): Promise<void> {
    let wake = new AbortController();
    const listening = postgres.listen(demoChannel, () => wake.abort());
    while (!signal.aborted) {
      wake = new AbortController();
      await look().catch(onFault);
      const waitMs = lookEveryMs[game === null && !mayStart ? 'waiting' : 'playing'];
      await sleep(waitMs, AbortSignal.any([signal, wake.signal]));
    }
    await listening.stop();
    await game?.stop();
  }

  const health = createHealth({ checks: {} });
  const server = createHttpServer({
    logger,
    metrics,
    host: values.host,
    port: values.port,
    routes: (app) => addOperatorRoutes(app, { health, metrics }),
  });
  return {
    logger,
    metrics,
    health,
    components: [
      { name: 'postgres', stop: () => postgres.close() },
      { name: 'registry', stop: () => registry.close() },
      server,
      {
        name: 'game',
        async start() {
          running = run(stopping);
        },
        async stop() {
          stopping.abort();
          await running;
        },
      },
    ],
  };
}
