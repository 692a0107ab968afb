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
  stored(): Promise<boolean>;
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

/** Waits until the browser knows that the other tabs ended: it frees their locks a moment after they are closed. */
const lastTab = (page: Page) =>
  waitUntil(async () => (await page.evaluate(() => navigator.locks.query())).held?.length === 1, {
    what: 'the locks of closed tabs',
  });

/** As a person does who clears the data of the site. */
const deleteDatabase = (page: Page) =>
  page.evaluate(async () => {
    const [{ name } = {}] = await indexedDB.databases();
    if (!name?.startsWith('tickrate ')) throw new Error(`the page has no database of the SDK but ${name}`);
    const deleting = indexedDB.deleteDatabase(name);
    await new Promise((resolve) => {
      deleting.onsuccess = resolve;
    });
  });

const flush = (page: Page, timeoutMs = 10_000) =>
  page.evaluate((timeoutMs) => client.flush({ timeoutMs }), timeoutMs);
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const isEvents = (path: string) => path.includes('/multiInsert');

// Invariant (Delivery): A web page stores each event once: offline, reloaded, left or closed at any
// moment, in several tabs of one account
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

test('flush in one tab sends what another tab left that was closed meanwhile', async () => {
  const pages = await openSdkPages('A closed tab');
  await pages.world.declare('step', { n: { type: 'integer' } });
  const [stays, closes] = [await pages.newTab(), await pages.newTab()];
  await Promise.all([open(stays, pages), open(closes, pages)]);
  await pages.setOffline(true);
  await track(stays, 0);
  await track(closes, 5);
  expect(await flush(stays, 200)).toBe(false);
  await closes.close();
  await lastTab(stays);
  await pages.setOffline(false);
  expect(await flush(stays)).toBe(true);
  const rows = await pages.rows<{ n: string }>('SELECT n FROM step ORDER BY n', 10);
  expect(rows.map(({ n }) => Number(n))).toEqual(numbers(10));
});

test('a page whose database is deleted under it writes and sends all it has', async () => {
  const pages = await openSdkPages('Cleared game');
  const { world, origin } = pages;
  await world.declare('step', { n: { type: 'integer' } });
  const page = await pages.newTab();
  const devTools = await page.context().newCDPSession(page);
  await open(page, pages);
  await track(page, 0);
  await deleteDatabase(await pages.newTab());
  await track(page, 5);
  await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await track(page, 10);
  expect(await flush(page)).toBe(true);
  expect(await page.evaluate(() => [client.durable, client.losses])).toEqual([true, {}]);
  const rows = await pages.rows<{ n: number }>('SELECT n FROM step ORDER BY n', 15);
  expect(rows.map(({ n }) => Number(n))).toEqual(numbers(15));
});

test.each(['reloaded', 'joined'])(
  'a page that is %s after its database was deleted stores nothing twice',
  async (next) => {
    const pages = await openSdkPages('Cleared and left');
    await pages.world.declare('step', { n: { type: 'integer' } });
    const page = await pages.newTab();
    await open(page, pages);
    await track(page, 0);
    expect(await flush(page)).toBe(true);
    const other = await pages.newTab();
    await deleteDatabase(other);
    await track(page, 5);
    const newer = next === 'reloaded' ? page : other;
    await newer.reload();
    await open(newer, pages);
    await track(newer, 10);
    if (next === 'joined') {
      await page.close();
      await lastTab(newer);
    }
    expect(await flush(newer)).toBe(true);
    const rows = await pages.rows<{ n: number; account: string }>(
      'SELECT n, account_id AS account FROM step ORDER BY n',
      15,
    );
    expect(rows.map(({ n }) => Number(n))).toEqual(numbers(15));
    expect(new Set(rows.map(({ account }) => account)).size).toBe(1);
  },
);

test('a page whose database another page made again sends from memory, and gives nothing to it', async () => {
  const pages = await openSdkPages('Cleared and made again');
  await pages.world.declare('step', { n: { type: 'integer' } });
  const [former, next] = [await pages.newTab(), await pages.newTab()];
  await open(former, pages);
  await track(former, 0);
  expect(await flush(former)).toBe(true);
  await deleteDatabase(next);
  await open(next, pages);
  await track(next, 5);
  await former.evaluate(() => client.track({ eventType: 'step', event: { n: 10 } }));
  expect(await former.evaluate(async () => [await client.stored(), client.durable])).toEqual([false, false]);
  expect(await flush(former)).toBe(true);
  await former.evaluate(() => client.track({ eventType: 'step', event: { n: 11 } }));
  await former.close();
  await lastTab(next);
  expect(await flush(next)).toBe(true);
  const rows = await pages.rows<{ n: number }>('SELECT n FROM step ORDER BY n', 12);
  expect(rows.map(({ n }) => Number(n))).toEqual(numbers(12));
  expect(await next.evaluate(() => client.losses)).toEqual({});
});

test('sealed events whose database is deleted are counted as lost', async () => {
  const pages = await openSdkPages('Cleared and counted');
  await pages.world.declare('step', { n: { type: 'integer' } });
  const page = await pages.newTab();
  await open(page, pages);
  pages.proxy.decide(() => 'refuse');
  await track(page, 0);
  expect(await flush(page, 100)).toBe(false);
  await deleteDatabase(await pages.newTab());
  await track(page, 5);
  pages.proxy.decide(() => 'pass');
  expect(await flush(page)).toBe(true);
  expect(await page.evaluate(() => client.losses)).toEqual({ storage: 5 });
  const rows = await pages.rows<{ n: number }>('SELECT n FROM step ORDER BY n', 5);
  expect(rows.map(({ n }) => Number(n))).toEqual([5, 6, 7, 8, 9]);
});

test('the successor of a key sends what waits for the former one, as the same account', async () => {
  const pages = await openSdkPages('Rotated key');
  const { world, key } = pages;
  await world.declare('step', { n: { type: 'integer' } });
  const page = await pages.newTab();
  await open(page, pages);
  await track(page, 0);
  expect(await flush(page)).toBe(true);
  pages.proxy.decide(() => 'refuse');
  await track(page, 5);
  expect(await flush(page, 100)).toBe(false);
  const { results } = await world.call<{ results: { id: string; prefix: string }[] }>('GET /v1/keys');
  const { id } = results.find(({ prefix }) => key.startsWith(prefix)) ?? {};
  const successor = await world.call<{ text: string }>(`POST /v1/keys/${id}/rotate`, { overlapSeconds: 0 });
  await page.reload();
  pages.proxy.decide(() => 'pass');
  await open(page, { ...pages, key: successor.text });
  expect(await flush(page)).toBe(true);
  const rows = await pages.rows<{ n: number; account: string }>(
    'SELECT n, account_id AS account FROM step ORDER BY n',
    10,
  );
  expect(rows.map(({ n }) => Number(n))).toEqual(numbers(10));
  expect(new Set(rows.map(({ account }) => account)).size).toBe(1);
});

test('events that wait for consent are not stored yet', async () => {
  const pages = await openSdkPages('Consent');
  const page = await pages.newTab();
  const stored = await page.evaluate(
    async ({ url, key }) => {
      const waiting = await tickrate.Tickrate.open({ url, key });
      waiting.track({ eventType: 'step', event: { n: 0 } });
      const before = await waiting.stored();
      await waiting.setConsent('granted');
      return [before, await waiting.stored()];
    },
    { url: pages.proxy.url, key: pages.key },
  );
  expect(stored).toEqual([false, true]);
});

test('a page whose database never opens keeps its events in memory', async () => {
  const pages = await openSdkPages('Stuck game');
  const page = await pages.newTab();
  await page.evaluate(() => {
    IDBFactory.prototype.open = () => ({}) as IDBOpenDBRequest;
  });
  expect(await open(page, pages)).toBe(false);
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

test('a consent that a page is opened with reaches the pages that are open', async () => {
  const pages = await openSdkPages('Consent as an option');
  const [first, second] = [await pages.newTab(), await pages.newTab()];
  await open(first, pages);
  const openWith = (consent: string) =>
    second.evaluate(
      async ({ url, key, consent }) => {
        globalThis.client = await tickrate.Tickrate.open({ url, key, consent });
      },
      { url: pages.proxy.url, key: pages.key, consent },
    );
  const consentIs = (consent: string) =>
    waitUntil(() => first.evaluate((consent) => client.consent === consent, consent), { what: consent });
  await openWith('denied');
  await consentIs('denied');
  await second.reload();
  await openWith('granted');
  await consentIs('granted');
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
