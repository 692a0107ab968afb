import { createFleet } from '@tickrate/pipeline';
import { waitUntil } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { type RunningGateway, startWorld } from './testing/gateway-world.ts';

const { world, url } = await startWorld();
const fleet = createFleet({ postgresUrl: url, maxConnections: 1 });
const path = 'insert?eventType=level';
const body = { level: 1 };
const worker = { name: 'host:1', startedMs: 0, eventsPerSecond: 0, memoryBytes: 0 };
const gibibyte = 1024 ** 3;

afterAll(() => fleet.close());

async function untilStatus(gateway: RunningGateway, key: string, status: number): Promise<void> {
  const seen = { timeoutMs: 10_000, what: `an answer of ${status}` };
  await waitUntil(async () => (await gateway.send({ path, key, body })).status === status, seen);
}

async function metricOf({ operatorUrl }: RunningGateway, name: string): Promise<number> {
  const text = await (await fetch(`${operatorUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

// Invariant (Delivery): When a volume of the stores has less free space than the reserve, new events are
// refused, and accepted again without manual repair
test('with less free space than the reserve in ClickHouse, events are refused with 6001 until there is space again', async () => {
  const gateway = await world.gateway({ DISK_RESERVE: String(gibibyte) });
  const { key } = await world.project();
  await fleet.reportWorker(worker, { freeBytes: 9 * gibibyte, totalBytes: 100 * gibibyte });
  await untilStatus(gateway, key, 200);
  await fleet.reportWorker(worker, { freeBytes: 0.5 * gibibyte, totalBytes: 100 * gibibyte });
  await untilStatus(gateway, key, 503);
  const refused = await gateway.send({ path, key, body });
  expect([refused.status, refused.body.code]).toEqual([503, 6001]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(await gateway.ready()).toBe(false);
  expect(await metricOf(gateway, 'tickrate_gateway_store_room')).toBe(0);
  expect(await metricOf(gateway, 'tickrate_gateway_store_free_bytes')).toBe(0.5 * gibibyte);
  await fleet.reportWorker(worker, { freeBytes: 9 * gibibyte, totalBytes: 100 * gibibyte });
  await untilStatus(gateway, key, 200);
  expect(await metricOf(gateway, 'tickrate_gateway_store_room')).toBe(1);
});

test('a volume of this machine is checked, and a missing volume refuses no events', async () => {
  const { key } = await world.project();
  const full = await world.gateway({ STORE_VOLUMES: '/', DISK_RESERVE: String(2 ** 50) });
  await untilStatus(full, key, 503);
  const blind = await world.gateway({ STORE_VOLUMES: '/not/there' });
  await untilStatus(blind, key, 200);
});

test('a database that has reached its size limit accepts no more events', async () => {
  const { key } = await world.project();
  const gateway = await world.gateway({ POSTGRES_DISK_LIMIT: String(1024 ** 2) });
  await untilStatus(gateway, key, 503);
});
