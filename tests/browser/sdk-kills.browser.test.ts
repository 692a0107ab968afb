import { waitUntil } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { findFirefox, startFirefox } from './firefox.ts';
import { type KillableBrowser, keptProfile, startChromium } from './killable-browser.ts';
import { openSdkPages, type SdkPages } from './sdk-page.ts';

const hasFirefox = findFirefox() !== null;
if (!hasFirefox)
  process.stderr.write('SKIPPED: the SDK in Firefox (no firefox or firefox-esr on the PATH)\n');

async function open(browser: KillableBrowser, { origin, proxy, key }: SdkPages): Promise<void> {
  await browser.open(`${origin}/`);
  const tuning = { backoffFromMs: 20, backoffToMs: 200 };
  const options = JSON.stringify({ url: proxy.url, key, consent: 'granted', tuning });
  const expression = `tickrate.Tickrate.open(${options}).then((opened) => (globalThis.client = opened).durable)`;
  expect(await browser.evaluate(expression)).toBe(true);
}

/** Tracks five events from number `from`, and waits until the promise begins. */
const track = (browser: KillableBrowser, from: number) =>
  browser.evaluate(
    `[0, 1, 2, 3, 4].forEach((n) => client.track({ eventType: 'step', event: { n: ${from} + n } })) ?? client.stored()`,
  );
const flush = (browser: KillableBrowser) => browser.evaluate('client.flush({ timeoutMs: 10000 })');

test.for([
  { name: 'Chromium', launch: startChromium, isHere: true },
  { name: 'Firefox', launch: startFirefox, isHere: hasFirefox },
])(
  '$name that is killed, also as its page goes out of sight, stores each event exactly once',
  async ({ name, launch, isHere }, { skip }) => {
    skip(!isHere);
    const pages = await openSdkPages(`Killed ${name}`);
    const { world, proxy } = pages;
    await world.declare('step', { n: { type: 'integer' } });
    const start = keptProfile(launch);
    const first = await start();
    await open(first, pages);
    await track(first, 0);
    expect(await flush(first)).toBe(true);

    // The server has what the hidden page sent. The browser dies before the answer.
    proxy.decide((path) => (path.includes('/multiInsert') ? 'loseAnswer' : 'pass'));
    await track(first, 5);
    await first.hide();
    await waitUntil(() => (proxy.counts.get('loseAnswer') ?? 0) > 0, {
      what: 'the request of a hidden page',
    });
    await first.kill();

    // Nothing arrives, and the browser dies in the middle of it.
    proxy.decide(() => 'refuse');
    const second = await start();
    await open(second, pages);
    await track(second, 10);
    await second.kill();

    proxy.decide(() => 'pass');
    const third = await start();
    await open(third, pages);
    await track(third, 15);
    expect(await flush(third)).toBe(true);
    const rows = await pages.rows<{ n: string; account_id: string }>(
      'SELECT n, account_id FROM step ORDER BY n',
      20,
    );
    expect(rows.map(({ n }) => Number(n))).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(new Set(rows.map(({ account_id: account }) => account)).size).toBe(1);
    expect(await third.evaluate('client.losses')).toEqual({});
  },
);
