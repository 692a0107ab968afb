import { waitUntil } from '@tickrate/testkit';
import type { Page, Request } from 'playwright-core';

export interface PageWork {
  /** Method and path of each call of the management API, in their order. */
  readonly calls: readonly string[];
  /** Of their answers, compressed. */
  readonly bytes: number;
  /** Of the page's own thread: waiting for a busy machine does not count. */
  readonly cpuMs: number;
  readonly elements: number;
}

/** Measures what a page does, without measuring how busy the machine is. */
export interface PageMeter {
  /** Runs the work, and waits until every call that it caused is answered. */
  measure(work: () => Promise<void>): Promise<PageWork>;
  /** Of the calls with this path: how many waited for an answer at once. */
  mostAtOnce(path: string): number;
}

export async function meterPage(page: Page): Promise<PageMeter> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const most = new Map<string, number>();
  const open = new Set<Request>();
  let calls: string[] = [];
  let bytes: Promise<number>[] = [];
  const openAt = (path: string) => [...open].filter((each) => pathOf(each) === path).length;
  page.on('request', (request) => {
    const path = pathOf(request);
    // The live stream has no end.
    if (!/^\/(v1|session)\b/.test(path) || path === '/v1/live') return;
    calls.push(`${request.method()} ${path}`);
    open.add(request);
    most.set(path, Math.max(most.get(path) ?? 0, openAt(path)));
  });
  page.on('requestfailed', (request) => open.delete(request));
  page.on('requestfinished', (request) => {
    if (!open.delete(request)) return;
    bytes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  const cpuMs = async () => {
    const { metrics } = await devTools.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
  };
  return {
    async measure(work) {
      [calls, bytes] = [[], []];
      const before = await cpuMs();
      await work();
      await page.waitForFunction(() => document.querySelector('.skeleton') === null);
      await waitUntil(() => open.size === 0, { what: 'the answers to all calls', timeoutMs: 20_000 });
      const sums = await Promise.all(bytes);
      return {
        calls,
        bytes: sums.reduce((sum, each) => sum + each, 0),
        cpuMs: (await cpuMs()) - before,
        elements: await page.evaluate(() => document.querySelectorAll('*').length),
      };
    },
    mostAtOnce: (path) => most.get(path) ?? 0,
  };
}

function pathOf(request: Request): string {
  return new URL(request.url()).pathname;
}
