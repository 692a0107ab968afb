import { setFlagsFromString } from 'node:v8';
import { type Config, ConfigFault } from '../config/config.ts';
import type { Declaration } from '../config/config-variable.ts';
import { createProcessEvents, type ProcessEvents } from '../telemetry/process-events.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Component } from './lifecycle.ts';
import { Lifecycle } from './lifecycle.ts';

/** What an app's composition root gives to the process that runs it. */
export interface App extends Telemetry {
  /** In the order in which they start. */
  readonly components: readonly Component[];
  /** Reports when everything has started, and when the process begins to stop. */
  readonly health?: { markStarted(): void; markStopping(): void };
  /** For finishing and closing everything. */
  readonly stopTimeoutMs?: number;
  /** The last thing called when the process ends with something unfinished. Synchronous; it must not throw. */
  readonly abandon?: () => void;
}

export interface ProcessOptions {
  /** Its help is what `--help` prints. */
  readonly config?: Pick<Config<Declaration>, 'help'> & Partial<Pick<Config<Declaration>, 'misspelled'>>;
  /**
   * The heap may grow by this share of the memory in use before V8 collects garbage. A process whose objects live for
   * about a second needs it: the worker's memory grew from 162 to 334 MiB and fell again. At 20 % it stays below 280
   * MiB, and collecting takes a third of the worker's CPU; at 60 % it takes half of that or less.
   */
  readonly garbagePercent?: number;
}

/**
 * Runs an app for as long as the process lives: a signal, a fault that nothing caught and the end of the parent
 * process all stop it in order; the exit code says why it ended (see `exitCodes`). A second signal ends it at once.
 * Call it once, as the last line of `main.ts`. An invalid configuration ends it before anything is connected.
 */
export function runProcess(create: () => App | Promise<App>, options: ProcessOptions = {}): void {
  if (options.config && process.argv.includes('--help')) {
    process.stdout.write(options.config.help());
    return;
  }
  if (options.garbagePercent !== undefined)
    setFlagsFromString(`--heap-growing-percent=${options.garbagePercent}`);
  const life: Life = { lifecycle: null, events: null, abandon: null, endingSinceMs: 0, ending: null };
  listen(life);
  run(life, create, options).catch((error: unknown) => fail(life, error));
}

interface Life {
  lifecycle: Lifecycle | null;
  events: ProcessEvents | null;
  abandon: (() => void) | null;
  /** When the end began, monotonic. */
  endingSinceMs: number;
  /** The exit code of an orderly end, once the end has begun. */
  ending: number | null;
}

async function run(life: Life, create: () => App | Promise<App>, { config }: ProcessOptions): Promise<void> {
  const app = await createOrExit(create);
  for (const { name, meant } of config?.misspelled?.() ?? [])
    app.logger.warn(`${name} is not a setting: did you mean ${meant}?`);
  // A signal that came while the app was made: nothing is connected yet.
  if (life.ending !== null) process.exit(life.ending);
  const { components, health, stopTimeoutMs = 25_000 } = app;
  life.abandon = app.abandon ?? null;
  life.events = createProcessEvents(app);
  life.lifecycle = new Lifecycle({
    components,
    events: life.events,
    stopTimeoutMs,
    onStarted: health && (() => health.markStarted()),
    onStopping: health && (() => health.markStopping()),
  });
  const outcome = await life.lifecycle.start();
  if (outcome === 'failed') process.exit(life.ending ?? exitCodes.startFailed);
  if (outcome === 'misconfigured') process.exit(life.ending ?? exitCodes.configFault);
}

async function createOrExit(create: () => App | Promise<App>): Promise<App> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(exitCodes.configFault);
  }
}

const signals = [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const;

// Below npm a Ctrl-C comes twice: from the terminal, and from npm, which passes on what it got from there itself.
const echoMs = 500;

function listen(life: Life): void {
  for (const [signal, number] of signals) {
    process.on(signal, () => {
      if (life.ending === null) stop(life, signal, exitCodes.stopped);
      else if (signal !== 'SIGINT' || performance.now() - life.endingSinceMs >= echoMs) {
        exitUnfinished(life, 128 + number);
      }
    });
  }
  process.on('uncaughtException', (error) => fail(life, error));
  process.on('unhandledRejection', (error) => fail(life, error));
  // Only a process that was spawned with an IPC channel hears this: its parent is gone.
  process.on('disconnect', () => {
    if (life.ending === null) stop(life, 'the parent process is gone', exitCodes.stopped);
  });
}

function stop(life: Life, cause: string, code: number): void {
  life.ending = code;
  life.endingSinceMs = performance.now();
  life.lifecycle
    ?.stop(cause)
    .then((outcome) => {
      const ending = life.ending ?? code;
      if (outcome === 'timedOut') exitUnfinished(life, ending === 0 ? exitCodes.stopTimedOut : ending);
      process.exit(ending);
    })
    .catch(fatal);
}

function exitUnfinished(life: Life, code: number): never {
  life.abandon?.();
  process.exit(code);
}

function fail(life: Life, error: unknown): void {
  if (!life.lifecycle || !life.events) fatal(error);
  life.events.uncaught(error);
  const code = error instanceof ConfigFault ? exitCodes.configFault : exitCodes.internalFault;
  if (life.ending === null) stop(life, 'a fault that nothing caught', code);
  else life.ending = code;
}

function fatal(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(exitCodes.internalFault);
}

/** How a process says why it ended; supervisors and operators read these. Signals end it with 128 + their number. */
export const exitCodes = {
  /** It received a stop signal and finished its work. */
  stopped: 0,
  /** A component could not start: a port is taken, a store is away. */
  startFailed: 69,
  /** A fault that nothing caught. */
  internalFault: 70,
  /** It received a stop signal, and the deadline passed before its work was finished. */
  stopTimedOut: 75,
  /** The configuration is not valid: nothing was connected, or a store answered that cannot be used. */
  configFault: 78,
} as const;
