import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { killProcessesOf, processesOf } from '../standalone-run.ts';

/** A browser of its own with one tab, which can be killed and started again with the same profile. */
export interface KillableBrowser {
  open(url: string): Promise<void>;
  /** Runs an expression in the page, awaits it, and returns its JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Puts the page out of sight: behind another tab, or left, where the browser knows no sight. */
  hide(): Promise<void>;
  /** Ends every process of it with SIGKILL. */
  kill(): Promise<void>;
}

export type BrowserStart = (profile: string) => Promise<Omit<KillableBrowser, 'kill'>>;

/** Returns a function that starts the browser, each time with the same profile. */
export function keptProfile(start: BrowserStart): () => Promise<KillableBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'tickrate-profile-'));
  const kill = async () => {
    // A process that was just forked is found in the next round.
    while (processesOf(profile).length > 0) {
      killProcessesOf(profile);
      await new Promise(setImmediate);
    }
  };
  onTestFinished(async () => {
    await kill();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  return async () => ({ ...(await start(profile)), kill });
}

export const startChromium: BrowserStart = async (profile) => {
  const context = await playwright.launchPersistentContext(profile, {
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  const page = await context.newPage();
  return {
    async open(url) {
      await page.goto(url);
    },
    evaluate: (expression) => page.evaluate(expression),
    async hide() {
      await page.goto('about:blank');
    },
  };
};
