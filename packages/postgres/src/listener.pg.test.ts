import { createTcpProxy, freshPostgres, waitUntil } from '@tickrate/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { createPostgres, type Postgres } from './postgres.ts';

const { url, terminateConnections } = await freshPostgres();
const sender = createPostgres({ postgresUrl: url, maxConnections: 1 });

function open(postgresUrl = url) {
  const faults: unknown[] = [];
  const postgres = createPostgres({
    postgresUrl,
    maxConnections: 1,
    name: 'tickrate-test',
    onFault: (error) => faults.push(error),
  });
  onTestFinished(() => postgres.close());
  return { postgres, faults };
}

function follow(postgres: Postgres, channel: string) {
  const heard: (string | null)[] = [];
  const listening = postgres.listen(channel, (payload) => heard.push(payload));
  return { heard, listening };
}

async function notify(channel: string, payload: string): Promise<void> {
  await sender.query('SELECT pg_notify($1, $2)', [channel, payload]);
}

// Invariant (Limits and overload): A busy pool does not delay revocations
test('all channels share one connection, and each hears only its own notifications', async () => {
  onTestFinished(() => sender.close());
  const { postgres } = open();
  const [a, b] = [follow(postgres, 'a'), follow(postgres, 'B"b')];
  await waitUntil(() => a.heard.length > 0 && b.heard.length > 0, { what: 'the connection' });
  const late = follow(postgres, 'late');
  await waitUntil(() => late.heard.length > 0, { what: 'the late channel' });
  await notify('a', 'to a');
  await notify('B"b', 'to b');
  await notify('late', 'to late');
  await waitUntil(() => late.heard.length > 1);
  expect([a.heard, b.heard, late.heard]).toEqual([
    [null, 'to a'],
    [null, 'to b'],
    [null, 'to late'],
  ]);
  const connections = await sender.query<{ name: string }>(
    "SELECT application_name AS name FROM pg_stat_activity WHERE application_name = 'tickrate-test-listener'",
  );
  expect(connections).toHaveLength(1);
  await a.listening.stop();
  await notify('a', 'unheard');
  await b.listening.stop();
  await late.listening.stop();
  expect(a.heard).toHaveLength(2);
  const again = follow(postgres, 'a');
  await waitUntil(() => again.heard.length > 0, { what: 'the connection after the last use ended' });
});

test('stays connected while it is asked whether it answers', async () => {
  const { heard, listening } = follow(open().postgres, 'asked');
  await waitUntil(() => heard.length > 0, { what: 'the connection' });
  for (let asked = 0; asked < 3; asked++) await listening.ping();
  await listening.query("SELECT pg_notify('asked', 'still here')");
  await waitUntil(() => heard.length > 1);
  expect(heard).toEqual([null, 'still here']);
  await listening.stop();
});

test('after a cut it connects again, and reports the outage once', async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const { postgres, faults } = open(proxy.url);
  const { heard } = follow(postgres, 'a');
  await waitUntil(() => heard.length === 1, { what: 'the first connection' });
  proxy.refuse();
  await waitUntil(() => faults.length > 0, { what: 'the report' });
  proxy.open();
  await waitUntil(() => heard.length > 1, { what: 'the second connection' });
  expect(heard.every((payload) => payload === null)).toBe(true);
  expect(faults).toHaveLength(1);
});

test('its statements do not wait for a busy pool', async () => {
  const { postgres } = open();
  const { heard, listening } = follow(postgres, 'a');
  await waitUntil(() => heard.length > 0, { what: 'the connection' });
  const { promise, resolve } = Promise.withResolvers<void>();
  const busy = postgres.transaction(() => promise);
  expect(await listening.query('SELECT $1::int AS one', [1])).toEqual([{ one: 1 }]);
  resolve();
  await busy;
});

test('many statements at once get an answer each, without a warning of the driver', async () => {
  const { postgres } = open();
  const { heard, listening } = follow(postgres, 'a');
  await waitUntil(() => heard.length > 0, { what: 'the connection' });
  const numbers = [1, 2, 3, 4];
  const answers = await Promise.all(numbers.map((n) => listening.query('SELECT $1::int AS n', [n])));
  expect(answers).toEqual(numbers.map((n) => [{ n }]));
});

test('a connection that no longer answers is replaced, and its statements run on the pool until then', async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const { postgres } = open(proxy.url);
  const { heard, listening } = follow(postgres, 'a');
  await waitUntil(() => heard.length > 0, { what: 'the connection' });
  proxy.freeze();
  await expect(listening.query('SELECT 1')).rejects.toMatchObject({ code: 6001 });
  proxy.open();
  await waitUntil(async () => (await listening.query('SELECT 1').catch(() => [])).length === 1);
  await waitUntil(() => heard.length > 1, { what: 'the second connection' });
});

test('a statement that the server refuses does not end the connection', async () => {
  const { postgres } = open();
  const { heard, listening } = follow(postgres, 'a');
  await waitUntil(() => heard.length > 0, { what: 'the connection' });
  await expect(listening.query('SELECT no_such_column')).rejects.toMatchObject({ code: '42703' });
  await terminateConnections();
  await waitUntil(() => heard.length > 1, { what: 'the second connection' });
  expect(heard).toEqual([null, null]);
});
