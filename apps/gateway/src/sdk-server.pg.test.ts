import { createTcpProxy, waitUntil } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { buildSdk } from '../../../clients/typescript/build.ts';
import { startWorld } from './testing/gateway-world.ts';

/** The part of the built package that this file uses. */
interface TickrateServer {
  readonly pending: number;
  insert(event: object): Promise<void>;
  close(): Promise<void>;
}
interface Sdk {
  readonly TickrateServer: new (options: object) => TickrateServer;
  readonly EventRefused: new () => Error;
}

const { TickrateServer, EventRefused } = await loadSdk();
const { world, url } = await startWorld();
const queue = await createTcpProxy(url);

const gateway = await world.gateway({ QUEUE_URL: queue.url });
afterAll(async () => {
  queue.open();
  await world.close();
  await queue.close();
});

const level = (n: number) => ({ eventType: 'level', event: { level: n } });
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

async function open(options: object = {}) {
  const { projectId, key } = await world.project();
  return { projectId, client: new TickrateServer({ url: gateway.url, key, ...options }) };
}

/** What the package contains, loaded as a backend loads it. */
async function loadSdk(): Promise<Sdk> {
  const built = (await buildSdk({ write: false })).find(({ name }) => name === 'server.js');
  return import(`data:text/javascript,${encodeURIComponent(built?.text ?? '')}`);
}

async function levelsOf(projectId: string, count: number): Promise<unknown[]> {
  // A request that was repeated repeats its events' ids, by which each is stored once.
  const byId = async () => new Map((await world.rows(projectId, count)).map((row) => [row.eventId, row]));
  await waitUntil(async () => (await byId()).size >= count, { what: `${count} different events` });
  return [...(await byId()).values()].map(({ data }) => Number(data.get('level'))).sort((a, b) => a - b);
}

// Invariant (Delivery): `TickrateServer.insert()` settles with the outcome of its own event, and events
// passed before `close()` are stored once
test('every event is stored once although the queue is away meanwhile; close() sends waiting events', async () => {
  const { projectId, client } = await open({ batchEvents: 20, waitingEvents: 50, requests: 2 });
  queue.refuse();
  // The last ones wait for a place: they were given before close(), so they are sent too.
  const inserted = numbers(200).map((n) => client.insert(level(n)));
  await waitUntil(() => client.pending === 50, { what: 'the bound of waiting events' });
  const closed = client.close();
  await expect(client.insert(level(1_000))).rejects.toThrow('after close()');
  queue.open();
  await Promise.all([...inserted, closed]);
  expect(client.pending).toBe(0);
  expect(await levelsOf(projectId, 200)).toEqual(numbers(200));
});

test('the SDK waits when a rate is exceeded', async () => {
  const { projectId, client } = await open({ batchEvents: 40 });
  await world.registry.setPolicy({ projectId, name: 'rates', value: { perProject: 40 } });
  await Promise.all(numbers(100).map((n) => client.insert(level(n))));
  await client.close();
  expect(await levelsOf(projectId, 100)).toEqual(numbers(100));
});

test('each promise has its own outcome: an event that is wrong, too large, or of the wrong key', async () => {
  const { projectId, client } = await open();
  const wrong = { eventType: 'level', event: { level: 'x' } };
  const large = { eventType: 'level', event: { name: 'x'.repeat(100_000) } };
  const cycle: Record<string, unknown> = {};
  cycle['cycle'] = cycle;
  const outcomes = await Promise.allSettled([
    client.insert(level(0)),
    client.insert(wrong),
    client.insert(large),
    client.insert({ eventType: 'level', event: cycle }),
    client.insert(level(1)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
    'fulfilled',
  ]);
  expect(await levelsOf(projectId, 2)).toEqual([0, 1]);
  const stranger = new TickrateServer({ url: gateway.url, key: 'tk_pub_wrong' });
  const refused = await stranger.insert(level(1)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(EventRefused);
  expect(refused).toMatchObject({ status: 401, message: expect.stringContaining('key') });
  await Promise.all([client.close(), stranger.close()]);
});

test('a batch keeps below the largest body of the gateway, and is never one request too large', async () => {
  const { projectId, client } = await open();
  const name = 'x'.repeat(60_000);
  const events = numbers(150).map((n) => ({ eventType: 'level', event: { level: n, name } }));
  await Promise.all(events.map((event) => client.insert(event)));
  await client.close();
  expect(await levelsOf(projectId, 150)).toEqual(numbers(150));
});
