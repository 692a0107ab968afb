import { createTcpProxy, freshPostgres, waitUntil } from '@tickrate/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { createPostgres, type PostgresOptions, usePostgres } from './postgres.ts';
import { outcomeOf, PostgresUnavailable } from './postgres-fault.ts';
import type { Queryable } from './queryable.ts';

const { url, terminateConnections } = await freshPostgres();

function open(options: Partial<PostgresOptions> = {}) {
  const postgres = createPostgres({ postgresUrl: url, ...options });
  onTestFinished(() => postgres.close());
  return postgres;
}

// Invariant (Limits and overload): A process closes within seconds while PostgreSQL hangs, and answers
// every open call
test('every session commits durably, in read committed, and ends a slow statement by itself', async () => {
  const postgres = open({ timeoutMs: 300, name: 'tickrate-test' });
  const [settings] = await postgres.query<Record<string, string>>(
    `SELECT current_setting('synchronous_commit') AS commit, current_setting('application_name') AS name,
            current_setting('default_transaction_isolation') AS isolation`,
  );
  expect(settings).toEqual({ commit: 'on', name: 'tickrate-test', isolation: 'read committed' });
  await expect(postgres.query('SELECT pg_sleep(20)')).rejects.toMatchObject({
    outcome: 'timeout',
    sqlState: '57014',
  });
});

test('a transaction commits what its work did, or nothing', async () => {
  const postgres = open();
  await postgres.query('CREATE TABLE kept (id int PRIMARY KEY)');
  await postgres.transaction((tx) => tx.query('INSERT INTO kept VALUES ($1)', [1]));
  const bug = new Error('a bug');
  const failing = postgres.transaction(async (tx) => {
    await tx.query('INSERT INTO kept VALUES ($1)', [2]);
    throw bug;
  });
  // Not taken for an outage, although the driver throws plain errors too.
  await expect(failing).rejects.toBe(bug);
  const duplicate = postgres.transaction((tx) => tx.query('INSERT INTO kept VALUES ($1)', [1]));
  expect(outcomeOf(await duplicate.catch((error: unknown) => error))).toBe('uniqueViolation');
  expect(await postgres.query('SELECT id FROM kept')).toEqual([{ id: 1 }]);
});

test('a connection that is lost in use fails its call and is replaced', async () => {
  const postgres = open({ maxConnections: 1 });
  const lost = postgres.transaction(async (tx) => {
    await terminateConnections();
    await tx.query('SELECT 1');
  });
  await expect(lost).rejects.toMatchObject({ code: 6001, outcome: 'away' });
  expect(await postgres.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a write whose answer is lost says that its outcome is unknown, and a lost transaction is not done', async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const postgres = createPostgres({ postgresUrl: proxy.url, maxConnections: 1 });
  onTestFinished(() => postgres.close());
  await postgres.query('CREATE TABLE written (id int PRIMARY KEY)');
  await postgres.query(
    "CREATE FUNCTION public.write(id int) RETURNS int LANGUAGE sql AS 'INSERT INTO written VALUES (id) RETURNING id'",
  );
  const outcome = async (work: () => Promise<unknown>) => {
    const [fault] = await Promise.allSettled([work()]);
    expect(fault).toMatchObject({ status: 'rejected', reason: { code: 6001, outcome: 'away' } });
    proxy.open();
    return fault?.status === 'rejected' && fault.reason.data.outcomeUnknown === true;
  };
  const insert = (tx: Queryable, id: number) => tx.query('INSERT INTO written VALUES ($1)', [id]);
  const alone = () => {
    proxy.loseAnswers();
    return insert(postgres, 1);
  };
  const byFunction = (sql: string) => () => {
    proxy.loseAnswers();
    return postgres.query(sql);
  };
  const committing = () =>
    postgres.transaction(async (tx) => {
      await insert(tx, 2);
      proxy.loseAnswers();
    });
  const beforeCommit = () =>
    postgres.transaction(async (tx) => {
      proxy.loseAnswers();
      await insert(tx, 3);
    });
  const reading = () => {
    proxy.loseAnswers();
    return postgres.query('SELECT id FROM written');
  };
  const connecting = () => {
    proxy.refuse();
    return insert(postgres, 4);
  };
  await postgres.query('SELECT 1');
  expect(await outcome(alone)).toBe(true);
  await postgres.query('SELECT 1');
  expect(await outcome(byFunction('SELECT public.write(5)'))).toBe(true);
  await postgres.query('SELECT 1');
  expect(await outcome(byFunction('SELECT * FROM public.write(6)'))).toBe(true);
  await postgres.query('SELECT 1');
  expect(await outcome(committing)).toBe(true);
  expect(await outcome(beforeCommit)).toBe(false);
  await postgres.query('SELECT 1');
  expect(await outcome(reading)).toBe(false);
  expect(await outcome(connecting)).toBe(false);
  expect(
    (await postgres.query<{ id: number }>('SELECT id FROM written ORDER BY id')).map(({ id }) => id),
  ).toEqual([1, 2, 5, 6]);
});

test('a connection that is lost while it is idle is reported and replaced', async () => {
  const faults: unknown[] = [];
  const postgres = open({ maxConnections: 1, onFault: (error) => faults.push(error) });
  await postgres.query('SELECT 1');
  await terminateConnections();
  await waitUntil(() => faults.length > 0, { what: 'the report' });
  expect(await postgres.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a shorter timeout includes the wait for a connection', async () => {
  const postgres = open({ maxConnections: 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const busy = postgres.transaction(() => promise);
  await expect(postgres.withTimeout(50).query('SELECT 1')).rejects.toMatchObject({ outcome: 'timeout' });
  resolve();
  await busy;
});

test('closing takes seconds at most while Postgres hangs', { timeout: 8_000 }, async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const postgres = createPostgres({ postgresUrl: proxy.url });
  postgres.listen('test', () => undefined);
  await postgres.query('SELECT 1');
  proxy.freeze();
  const query = postgres.query('SELECT 1').catch((error: unknown) => error);
  const transaction = postgres.transaction((tx) => tx.query('SELECT 1')).catch((error: unknown) => error);
  await postgres.close();
  for (const call of [query, transaction]) expect(await call).toBeInstanceOf(PostgresUnavailable);
  proxy.open();
  await waitUntil(() => proxy.connections() === 0, { what: 'all connections to close' });
});

test('the user of a given Postgres does not close it', async () => {
  const postgres = open();
  const used = usePostgres({ postgres });
  await used.close();
  expect(await used.postgres.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  const own = usePostgres({ postgresUrl: url });
  await own.close();
  await expect(own.postgres.query('SELECT 1')).rejects.toThrow();
});
