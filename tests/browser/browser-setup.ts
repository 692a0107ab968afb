import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import {
  findFreePorts,
  killProcessesOf,
  type StandaloneFacts,
  type StandaloneRun,
  startStandaloneWith,
} from '../standalone-run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly product: StandaloneFacts & { readonly folder: string };
    readonly browserAddress: string;
  }
}

/** Starts the whole product, as `npm start` does, and one browser, for all browser tests of a run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const parent = mkdtempSync(join(tmpdir(), 'tickrate-browser-'));
  const folder = join(parent, 'data');
  // Nothing is queued any more when a test erases a player.
  const erasesAtOnce = { ERASURE_MARGIN: '0s' };
  const run = startStandaloneWith(erasesAtOnce, folder, '--port', String(await findFreePorts()));
  const opening = launchBrowser();
  const tearDown = async () => {
    await Promise.all([end(run), opening.then((browser) => browser.close())]);
    killProcessesOf(parent);
    rmSync(parent, { recursive: true, force: true });
  };
  try {
    const [browser] = await Promise.all([opening, run.ready()]);
    project.provide('product', { ...run.file(), folder });
    project.provide('browserAddress', browser.wsEndpoint());
  } catch (fault) {
    await tearDown().catch(() => undefined);
    throw fault;
  }
  return tearDown;
}

async function end(run: StandaloneRun): Promise<void> {
  run.process.kill('SIGTERM');
  await run.exit();
}

/** Chromium from npm, with the flags of a desktop: its own flags switch off what these tests check. */
async function launchBrowser() {
  return playwright.launchServer({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
  });
}
