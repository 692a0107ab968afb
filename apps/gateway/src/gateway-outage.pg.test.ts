import { createTcpProxy, waitUntil } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { type Answer, type SampleProject, startWorld } from './testing/gateway-world.ts';
import { levelDeclaration } from './testing/sample-rows.ts';

const { world, url } = await startWorld();
const [queue, database] = [await createTcpProxy(url), await createTcpProxy(url)];
const path = 'insert?eventType=level';
const body = { level: 1 };

const gateway = await world.gateway({ QUEUE_URL: queue.url, POSTGRES_URL: database.url });
afterAll(async () => {
  for (const proxy of [queue, database]) proxy.open();
  await world.close();
  for (const proxy of [queue, database]) await proxy.close();
});

/** A request that hangs fails the test. */
function send(key: string, from = gateway): Promise<Answer> {
  return from.send({ path, key, body });
}

async function untilAccepted(key: string): Promise<void> {
  const restored = { timeoutMs: 10_000, what: 'an event to be accepted again' };
  await waitUntil(async () => (await send(key)).status === 200, restored);
  await waitUntil(() => gateway.ready(), { timeoutMs: 5_000, what: 'readiness' });
}

test.each(['refuse', 'freeze'] as const)(
  'while a queue is away (%s), every event is answered with 6001, and events are taken again by itself',
  async (fault) => {
    const { projectId, key } = await world.project();
    await untilAccepted(key);
    expect(await gateway.ready()).toBe(true);
    queue[fault]();
    const during = await Promise.all(Array.from({ length: 30 }, () => send(key)));
    for (const answer of during) {
      expect([answer.status, answer.body.code]).toEqual([503, 6001]);
      expect(answer.headers['retry-after']).toBe(String(answer.body.data.retryAfterSeconds));
    }
    await waitUntil(async () => !(await gateway.ready()), { timeoutMs: 6_000, what: 'no readiness' });
    expect((await send(key)).status).toBe(503);
    queue.open();
    await untilAccepted(key);
    expect((await world.rows(projectId, 2)).length).toBeGreaterThanOrEqual(2);
  },
);

test('an event that was refused as not accepted is not stored when a hanging queue continues', async () => {
  const { projectId, key } = await world.project();
  const sendLevel = (level: number) => gateway.send({ path, key, body: { level } });
  await untilAccepted(key);
  queue.freeze();
  const levels = Array.from({ length: 20 }, (_, index) => 2 + index);
  const answers = await Promise.all(levels.map(async (level) => ({ level, ...(await sendLevel(level)) })));
  queue.open();
  await untilAccepted(key);
  const known = answers.filter((answer) => answer.body.data.outcomeUnknown !== true);
  const rows = await world.rows(projectId, 3);
  const late = rows.map(({ data }) => Number(data.get('level'))).filter((level) => levels.includes(level));
  expect(late).not.toEqual([]);
  expect(answers.filter(({ status }) => status !== 503)).toEqual([]);
  expect(known.filter(({ level }) => late.includes(level))).toEqual([]);
});

test('cut connections are opened again, and every event answered with 200 is in the queue', async () => {
  const { projectId, key } = await world.project();
  await untilAccepted(key);
  const answers: Answer[] = [];
  const senders = Array.from({ length: 8 }, async () => {
    for (let n = 0; n < 40; n++) answers.push(await send(key));
  });
  for (let n = 0; n < 5; n++) {
    await waitUntil(() => answers.length > n * 50, { what: 'some answers' });
    queue.cut();
  }
  await Promise.all(senders);
  await untilAccepted(key);
  const accepted = answers.filter(({ status }) => status === 200).length;
  expect(new Set(answers.map(({ status }) => status)).isSubsetOf(new Set([200, 503]))).toBe(true);
  expect((await world.rows(projectId, accepted)).length).toBeGreaterThanOrEqual(accepted);
});

test('while the registry hangs, known keys are served without waiting for it, and other keys return 6001', async () => {
  const [known, unknown] = [await world.project(), await world.project()];
  await untilFollowed(known);
  await untilAccepted(known.key);
  database.freeze();
  const asked = [unknown.key, known.key].map((key) => send(key));
  expect((await Promise.race(asked)).status).toBe(200);
  const [second] = await Promise.all(asked);
  expect([second?.status, second?.body.code]).toEqual([503, 6001]);
  // Reported to operators, not to load balancers: known keys are still served.
  await waitUntil(async () => (await followsRegistry()) === 0, {
    timeoutMs: 6_000,
    what: 'the gauge to change',
  });
  expect(await gateway.ready()).toBe(true);
  database.open();
  await untilAccepted(unknown.key);
});

/** Waits until the gateway has read all changes so far. It forgets what a change names, however late it reads it. */
async function untilFollowed({ projectId, key }: SampleProject): Promise<void> {
  const sendLater = () => gateway.send({ path: 'insert?eventType=later', key, body });
  expect((await sendLater()).body.code).toBe(8001);
  await world.registry.declareEventType({ projectId, name: 'later', declaration: levelDeclaration });
  const followed = { timeoutMs: 10_000, what: 'the new type' };
  await waitUntil(async () => (await sendLater()).status === 200, followed);
}

async function followsRegistry(): Promise<number> {
  const text = await (await fetch(`${gateway.operatorUrl}/metrics`)).text();
  return Number(/^tickrate_gateway_registry_followed (\d)$/m.exec(text)?.[1]);
}

test('a stop loses nothing: requests in flight are answered and stored', async () => {
  const { projectId, key } = await world.project();
  const stopping = await world.gateway();
  // Ready from its first moment: it waits for its dependencies before it listens.
  expect((await send(key, stopping)).status).toBe(200);
  const outcomes: unknown[] = [];
  const senders = Array.from({ length: 16 }, async () => {
    let outcome: unknown = 200;
    while (outcome === 200) {
      outcome = await send(key, stopping).then(
        ({ status }) => status,
        // It accepts no more connections.
        (error: NodeJS.ErrnoException) => error.code,
      );
      outcomes.push(outcome);
    }
  });
  await waitUntil(() => outcomes.length > 100, { what: 'some answers' });
  expect(await stopping.stop()).toBe('stopped');
  await Promise.all(senders);
  const accepted = outcomes.filter((outcome) => outcome === 200).length + 1;
  for (const outcome of outcomes) expect([200, 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']).toContain(outcome);
  expect(await world.rows(projectId, accepted)).toHaveLength(accepted);
});
