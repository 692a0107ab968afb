import { startRedisServer, waitUntil } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { type Answer, startWorld } from './testing/gateway-world.ts';

const redis = await startRedisServer();
const { world } = await startWorld({ queueUrl: redis.url });
const event = { level: 3 };

const gateway = await world.gateway();
afterAll(async () => {
  await world.close();
  await redis.stop();
});

test('events of all three calls come out of the queue', async () => {
  const { projectId, key } = await world.project();
  const calls = [
    { path: 'insert?eventType=level', body: event },
    { path: 'batchInsert?eventType=level', body: [event, event] },
    { path: 'batchInsert?eventType=level&partial=true', body: [event, {}] },
    { path: 'multiInsert', body: [{ eventType: 'level', event }] },
  ];
  const answers = await Promise.all(calls.map((call) => gateway.send({ ...call, key })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const rows = await world.rows(projectId, 5);
  expect(rows.map(({ data }) => data.get('level'))).toEqual([3n, 3n, 3n, 3n, 3n]);
});

test.each(['freeze', 'kill'] as const)(
  'while a Redis is away (%s), every event is answered with 6001',
  async (fault) => {
    const { projectId, key } = await world.project();
    const send = () => gateway.send({ path: 'insert?eventType=level', key, body: event });
    const restored = { timeoutMs: 10_000, what: 'an event to be accepted' };
    await waitUntil(async () => (await send()).status === 200, restored);
    await redis[fault]();
    const during = await Promise.all(Array.from({ length: 20 }, send));
    expect(new Set(during.map(({ body }) => body.code))).toEqual(new Set([6001]));
    await waitUntil(async () => !(await gateway.ready()), { timeoutMs: 6_000, what: 'no readiness' });
    if (fault === 'kill') await redis.restart();
    else redis.resume();
    await waitUntil(async () => (await send()).status === 200, restored);
    expect((await world.rows(projectId, 2)).length).toBeGreaterThanOrEqual(2);
  },
);

test('an event that was refused as not accepted is not stored when a frozen Redis continues', async () => {
  const { projectId, key } = await world.project();
  const send = (level: number) => gateway.send({ path: 'insert?eventType=level', key, body: { level } });
  await waitUntil(async () => (await send(0)).status === 200, { timeoutMs: 10_000, what: 'an event' });
  redis.freeze();
  const levels = Array.from({ length: 20 }, (_, index) => 1 + index);
  const answers = await Promise.all(levels.map(async (level) => ({ level, ...(await send(level)) })));
  redis.resume();
  await waitUntil(async () => (await send(50)).status === 200, { timeoutMs: 10_000, what: 'an event' });
  const isUnknown = (answer: Answer) => answer.body.data.outcomeUnknown === true;
  const stored = (await world.rows(projectId, 3)).map(({ data }) => Number(data.get('level')));
  const late = stored.filter((level) => levels.includes(level));
  expect(late).not.toEqual([]);
  expect(answers.filter((answer) => answer.status !== 503)).toEqual([]);
  expect(answers.filter((answer) => !isUnknown(answer) && late.includes(answer.level))).toEqual([]);
});
