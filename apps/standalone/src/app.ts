import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { makeSignInLink, type SignInLink } from '@tickrate/accounts';
import type { FolderOwner } from '@tickrate/embedded';
import {
  type App,
  createLogger,
  createMetrics,
  type FirstProject,
  type InstallationFile,
  installationFilePath,
  writeInstallationFile,
} from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import type { StandaloneValues } from './config.ts';
import { openDataFolder } from './folder/data-folder.ts';
import type { StandaloneOptions } from './options.ts';
import { copiesOf, defaultGateways, type Machine } from './processes/copies.ts';
import { createStack, type Stack } from './processes/stack.ts';
import { requireSupportedPlatform } from './processes/supported-platform.ts';
import { explainFault } from './start-fault.ts';
import { tourText } from './terminal/demo-tour.ts';
import { instructionsText } from './terminal/instructions.ts';
import { createLateLog, type LateLog } from './terminal/log-file.ts';
import { createSupervisionEvents, type SupervisionEvents } from './terminal/supervision-events.ts';
import { createTerminal, type Terminal } from './terminal/terminal.ts';

// All processes must have ended ten seconds after Ctrl-C.
const stopTimeoutMs = 9_500;

/** The supervisor: runs databases and apps as child processes, and restarts them until it is stopped. */
export function createStandalone(options: StandaloneOptions, values: StandaloneValues): App {
  const log = createLateLog();
  const logger = createLogger({ name: 'standalone', level: values.logLevel, destination: log });
  const metrics = createMetrics();
  const terminal = createTerminal({
    stream: process.stdout,
    plain: values.noColor !== null,
    now: () => performance.now(),
  });
  const logFolder = join(options.folder, 'logs');
  const events = createSupervisionEvents({ logger, terminal, now: Date.now, logFolder });
  const instance = createInstance({ options, values, logFolder, terminal, events, log });
  return {
    logger,
    metrics,
    stopTimeoutMs,
    abandon: instance.abandon,
    health: {
      markStarted: () => undefined,
      markStopping: instance.interrupt,
    },
    components: [{ name: 'standalone', start: instance.start, stop: instance.stop }],
  };
}

interface InstanceParts {
  readonly options: StandaloneOptions;
  readonly values: StandaloneValues;
  readonly logFolder: string;
  readonly terminal: Terminal;
  readonly events: SupervisionEvents;
  readonly log: LateLog;
}

/** Releases everything whether the start succeeds, fails or is interrupted. */
function createInstance({ options, values, logFolder, terminal, events, log }: InstanceParts) {
  const startedMs = performance.now();
  let owner: FolderOwner | null = null;
  let stack: Stack | null = null;
  let ending: 'interrupted' | 'failed' | null = null;
  const leaving = new AbortController();

  async function bringUp(): Promise<void> {
    requireSupportedPlatform(process.platform, process.arch);
    owner = openDataFolder(options.folder, options);
    mkdirSync(logFolder, { recursive: true, mode: 0o700 });
    log.open(join(logFolder, 'standalone.log'));
    const copies = copiesOf(options.gateways ?? defaultGateways(machineOf(values)));
    stack = createStack({ ...options, copies, values, logFolder, terminal, events, now: Date.now });
    const { project } = await stack.start();
    const file = describe(stack, project);
    writeInstallationFile(options.folder, file);
    const filePath = installationFilePath(options.folder);
    const tookMs = performance.now() - startedMs;
    const link = await makeSignIn(stack.urls.postgres, file.console);
    terminal.say(instructionsText({ file, filePath, link, tookMs, paint: terminal.paint }));
    if (options.demo) void sayTour(file.console, stack.urls.postgres);
  }

  async function sayTour(consoleUrl: string, postgresUrl: string): Promise<void> {
    const { signal } = leaving;
    const text = await tourText(postgresUrl, { consoleUrl, paint: terminal.paint, signal });
    if (text !== null) terminal.say(text);
  }

  async function endAll(): Promise<void> {
    leaving.abort();
    await stack?.stop();
    owner?.release();
    terminal.close();
  }

  return {
    interrupt() {
      if (ending !== null) return;
      ending = 'interrupted';
      terminal.interrupt();
      terminal.say('Stopping …');
      void stack?.stop();
    },
    abandon: () => stack?.abandon(),
    async start() {
      try {
        await bringUp();
      } catch (error) {
        ending ??= 'failed';
        await endAll();
        if (ending === 'interrupted') return;
        printFault(error, logFolder, terminal);
        throw error;
      }
    },
    async stop() {
      await endAll();
      terminal.say(`Stopped. The data is in ${options.folder}.`);
      log.close();
    },
  };
}

/**
 * A link for the owner of the installation. Null if it cannot be created: the password in the folder still works.
 */
async function makeSignIn(postgresUrl: string, consoleUrl: string): Promise<SignInLink | null> {
  const accounts = createPostgres({ postgresUrl, maxConnections: 1, onFault: () => undefined });
  try {
    return await makeSignInLink(accounts, { folded: null, consoleUrl, now: Date.now, randomBytes });
  } catch {
    return null;
  } finally {
    await accounts.close();
  }
}

function machineOf({ inFlightBytes }: StandaloneValues): Machine {
  return {
    platform: process.platform,
    cores: availableParallelism(),
    // The limit of a container, where there is one.
    memoryBytes: Math.min(process.constrainedMemory() || totalmem(), totalmem()),
    inFlightBytes,
  };
}

function printFault(error: unknown, logFolder: string, { paint }: Terminal): void {
  const { message, advice } = explainFault(error, logFolder);
  process.stderr.write(`${paint.bad('✗')} ${message}. ${advice}.\n`);
}

function describe({ urls, metrics }: Stack, project: FirstProject): InstallationFile {
  const { gateway, auth, console, clickhouse, postgres } = urls;
  const { projectId, keys, admin } = project;
  return { gateway, auth, console, clickhouse, postgres, metrics, projectId, keys, admin };
}
