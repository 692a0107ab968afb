import type { Page } from 'playwright-core';

declare global {
  // Set in the page by startFrameRate.
  var frameRate: { frames: number; longestMs: number; startedMs: number; lastMs: number } | undefined;
}

export interface FrameRate {
  readonly frames: number;
  readonly perSecond: number;
  readonly longestMs: number;
}

/** Counts the frames that the page draws from now on. */
export async function startFrameRate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const now = performance.now();
    const rate = { frames: 0, longestMs: 0, startedMs: now, lastMs: now };
    globalThis.frameRate = rate;
    const count = (atMs: number) => {
      rate.frames += 1;
      rate.longestMs = Math.max(rate.longestMs, atMs - rate.lastMs);
      rate.lastMs = atMs;
      if (globalThis.frameRate === rate) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
}

/** Since the start, and ends the count. */
export async function readFrameRate(page: Page): Promise<FrameRate> {
  return page.evaluate(() => {
    const { frames = 0, longestMs = 0, startedMs = 0, lastMs = 0 } = globalThis.frameRate ?? {};
    globalThis.frameRate = undefined;
    return { frames, longestMs, perSecond: (frames * 1_000) / Math.max(1, lastMs - startedMs) };
  });
}

/** The bytes that the page holds after a garbage collection. */
export async function readHeapBytes(page: Page): Promise<number> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devTools.send('Runtime.getHeapUsage');
  await devTools.detach();
  return usedSize;
}
