import { randomUUID } from 'node:crypto';
import { waitUntil } from '@tickrate/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openSdkPages, type SdkPages } from './sdk-page.ts';
import type { World } from './world.ts';

interface PageClient {
  readonly pending: number;
  readonly durable: boolean;
  readonly losses: Readonly<Record<string, number>>;
  readonly consent: string;
  setConsent(consent: string): Promise<void>;
  track(event: object): boolean;
  stored(): Promise<void>;
  flush(options?: object): Promise<boolean>;
}
declare global {
  // Set by the script of the SDK, and by `open` below.
  var tickrate: { readonly Tickrate: { open(options: object): Promise<PageClient> } };
  var client: PageClient;
}

function open(page: Page, { proxy, key }: SdkPages): Promise<boolean> {
  return page.evaluate(
    async ({ url, key }) => {
      const tuning = { backoffFromMs: 20, backoffToMs: 200 };
      globalThis.client = await tickrate.Tickrate.open({ url, key, consent: 'granted', tuning });
      return client.durable;
    },
    { url: proxy.url, key },
  );
}

/** Tracks events from number `from`, and waits until the promise begins. */
function track(page: Page, from: number, count = 5): Promise<void> {
  return page.evaluate(
    async ({ from, count }) => {
      for (let n = from; n < from + count; n++) client.track({ eventType: 'step', event: { n } });
      await client.stored();
    },
    { from, count },
  );
}

const flush = (page: Page, timeoutMs = 10_000) =>
  page.evaluate((timeoutMs) => client.flush({ timeoutMs }), timeoutMs);
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const isEvents = (path: string) => path.includes('/multiInsert');

test('a page stores each event exactly once: offline, reloaded, left and closed at any moment', async () => {
  const pages = await openSdkPages('Web game');
  const { world, proxy } = pages;
  await world.declare('step', { n: { type: 'integer' } });
  const page = await pages.newTab();
  expect(await open(page, pages)).toBe(true);
  await track(page, 0);
  expect(await flush(page)).toBe(true);

  await pages.setOffline(true);
  await track(page, 5);
  expect(await flush(page, 100)).toBe(false);
  await pages.setOffline(false);
  expect(await flush(page)).toBe(true);

  // The server has the batch, and its answer never arrives; the page is reloaded meanwhile.
  proxy.decide((path) => (isEvents(path) ? 'loseAnswer' : 'pass'));
  await track(page, 10);
  await page.evaluate(() => void client.flush());
  await waitUntil(() => (proxy.counts.get('loseAnswer') ?? 0) > 0, { what: 'a lost answer' });
  await page.reload();
  await open(page, pages);
  await track(page, 15);

  expect(await flush(page, 100)).toBe(false);

  // A page that is left or closed sends what it has, and never sees the answer.
  const lost = () => proxy.counts.get('loseAnswer') ?? 0;
  for (const [n, leave] of [
    [20, () => page.goto('about:blank')],
    [25, () => page.close({ runBeforeUnload: true })],
  ] as const) {
    proxy.decide(() => 'pass');
    if (n > 20) {
      await page.goBack();
      await open(page, pages);
    }
    // Signed in: an event without a session waits for the next start.
    expect(await flush(page)).toBe(true);
    proxy.decide((path) => (isEvents(path) ? 'loseAnswer' : 'pass'));
    await track(page, n);
    const earlier = lost();
    await leave();
    await waitUntil(() => lost() > earlier, { what: 'the last request of a page' });
  }

  proxy.decide(() => 'pass');
  const [left, right] = [await pages.newTab(), await pages.newTab()];
  await Promise.all([open(left, pages), open(right, pages)]);
  await Promise.all([track(left, 30), track(right, 35)]);
  expect(await Promise.all([flush(left), flush(right)])).toEqual([true, true]);
  const rows = await pages.rows<{ n: string }>('SELECT n FROM step ORDER BY n', 40);
  expect(rows.map(({ n }) => Number(n))).toEqual(numbers(40));
  expect(await left.evaluate(() => client.losses)).toEqual({});
});

test('two tabs that start at once share one installation, one account and one consent', async () => {
  const pages = await openSdkPages('Two tabs');
  await pages.world.declare('step', { n: { type: 'integer' } });
  const tabs = [await pages.newTab(), await pages.newTab()];
  await Promise.all(tabs.map((tab) => open(tab, pages)));
  await Promise.all(tabs.map((tab, at) => track(tab, at * 5)));
  expect(await Promise.all(tabs.map((tab) => flush(tab)))).toEqual([true, true]);
  const rows = await pages.rows<{ account_id: string }>('SELECT account_id FROM step', 10);
  expect(new Set(rows.map(({ account_id: account }) => account)).size).toBe(1);

  // A refusal in one tab holds in the other one, and at the next start.
  const [left, right] = tabs as [Page, Page];
  await left.evaluate(() => client.setConsent('denied'));
  const refused = () => right.evaluate(() => client.consent === 'denied');
  await waitUntil(refused, { what: 'the other tab to learn of a refusal' });
  expect(await right.evaluate(() => client.track({ eventType: 'step', event: { n: 99 } }))).toBe(false);
  await right.reload();
  const remembered = await right.evaluate(
    async ({ url, key }) => (await tickrate.Tickrate.open({ url, key })).consent,
    { url: pages.proxy.url, key: pages.key },
  );
  expect(remembered).toBe('denied');
});

test('the example registers a player who types a wrong code first, and events are the player’s', async () => {
  const pages = await openSdkPages('Sign-in of a web game');
  await pages.world.declare('signed_in', { way: { type: 'string' } });
  const query = new URLSearchParams({ url: pages.proxy.url, key: pages.key });
  const page = await pages.newTab(`/examples/sign-in.html?${query}`);
  const address = `${randomUUID()}@example.com`;
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail address').fill(address);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Password').fill('a long phrase of a ranger');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Code from the mail').fill('wrong');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Code from the mail').fill(await codeMailedTo(address, pages.world));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Signed in as').waitFor();
  const [, account] = ((await page.getByRole('status').textContent()) ?? '').split('Signed in as ');
  expect(await flush(page)).toBe(true);
  expect(await pages.rows('SELECT account_id FROM signed_in', 1)).toEqual([{ account_id: account }]);
});

/** Without a mail server, mails stay where an administrator reads them. */
async function codeMailedTo(address: string, world: World): Promise<string> {
  const code = await waitUntil(
    async () => {
      const { results } = await world.call<{ results: { to: string; text: string }[] }>(
        'GET /v1/outbox?limit=20',
      );
      return /^Code: (\S+)$/m.exec(results.find(({ to }) => to === address)?.text ?? '')?.[1];
    },
    { what: 'a mail with a code' },
  );
  return code ?? '';
}
