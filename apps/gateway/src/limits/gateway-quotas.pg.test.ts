import { waitUntil } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { type RunningGateway, type SampleProject, startWorld } from '../testing/gateway-world.ts';

const { world } = await startWorld();
const event = { level: 3 };

const gateways = [await world.gateway(), await world.gateway()] as const;

function send(gateway: RunningGateway, key: string, events = 1) {
  const body = Array.from({ length: events }, () => event);
  return gateway.send({ path: 'batchInsert?eventType=level', key, body });
}

async function codeOf(gateway: RunningGateway, key: string, events = 1): Promise<number> {
  const { status, body } = await send(gateway, key, events);
  return status === 200 ? 200 : body.code;
}

function setQuota({ projectId }: SampleProject, value: object): Promise<void> {
  return world.registry.setPolicy({ projectId, name: 'quotas', value });
}

test('a quota that is used up is refused on every gateway, until midnight', async () => {
  const project = await world.project();
  await setQuota(project, { eventsPerDay: 10 });
  const [first, second] = gateways;
  expect(await codeOf(first, project.key, 6)).toBe(200);
  expect(await codeOf(second, project.key, 4)).toBe(200);
  for (const gateway of gateways) {
    await waitUntil(async () => (await codeOf(gateway, project.key, 0)) === 8009, { what: 'a refusal' });
    const { status, body, headers } = await send(gateway, project.key);
    expect([status, body.data.reason]).toEqual([429, 'eventQuotaExceeded']);
    const leftSeconds = (Math.ceil(Date.now() / 86_400_000) * 86_400_000 - Date.now()) / 1_000;
    expect(Math.abs(body.data.retryAfterSeconds - leftSeconds)).toBeLessThan(30);
    expect(headers['retry-after']).toBe(String(body.data.retryAfterSeconds));
  }
  expect(await world.rows(project.projectId, 10)).toHaveLength(10);
});

test('a gateway refuses at once after it used up a quota itself, and counts only accepted events', async () => {
  const project = await world.project();
  await setQuota(project, { eventsPerMonth: 3 });
  const partial = 'batchInsert?eventType=level&partial=true';
  const body = [event, {}, { level: 'x' }, event, {}];
  const [gateway] = gateways;
  expect((await gateway.send({ path: partial, key: project.key, body })).body.accepted).toBe(2);
  expect((await gateway.send({ path: 'batchInsert?eventType=level', key: project.key, body })).status).toBe(
    422,
  );
  expect(await codeOf(gateway, project.key)).toBe(200);
  expect(await codeOf(gateway, project.key)).toBe(8009);
});

test('a change of a quota takes effect with no restart', async () => {
  const project = await world.project();
  const [gateway] = gateways;
  expect(await codeOf(gateway, project.key, 5)).toBe(200);
  await setQuota(project, { eventsPerDay: 5 });
  await waitUntil(async () => (await codeOf(gateway, project.key, 0)) === 8009);
  await setQuota(project, { eventsPerDay: 6 });
  await waitUntil(async () => (await codeOf(gateway, project.key, 0)) === 200);
  await setQuota(project, { eventsPerDay: 0 });
  await waitUntil(async () => (await codeOf(gateway, project.key, 0)) === 8009);
  await setQuota(project, {});
  await waitUntil(async () => (await codeOf(gateway, project.key, 0)) === 200);
});

test('the used quota is known at the first request after a restart, for administrative keys too', async () => {
  const project = await world.project();
  await setQuota(project, { eventsPerDay: 4 });
  const before = await world.gateway();
  expect(await codeOf(before, project.key, 4)).toBe(200);
  await before.stop();
  const after = await world.gateway();
  const asked = {
    projectId: project.projectId,
    kind: 'administrative',
    comment: '',
    createdBy: 'test',
  } as const;
  const { text } = await world.registry.createKey(asked);
  expect([await codeOf(after, text), await codeOf(after, project.key)]).toEqual([8009, 8009]);
});
