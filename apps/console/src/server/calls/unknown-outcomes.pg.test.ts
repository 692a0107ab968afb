import { expect, onTestFinished, test } from 'vitest';
import { startConsoleWorld } from '../../testing/console-harness.ts';

const { world } = await startConsoleWorld();

/** Lets PostgreSQL fail by itself, before or after it executes a statement on the table. */
async function sabotage(when: string, table: string, fault: string): Promise<void> {
  const name = `sabotage_${table.replace('.', '_')}`;
  await world.accounts.query(
    `CREATE OR REPLACE FUNCTION public.${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${fault}; RETURN NEW; END $$`,
  );
  await world.accounts.query(
    `CREATE TRIGGER ${name} ${when} ON ${table} FOR EACH ROW EXECUTE FUNCTION public.${name}()`,
  );
  onTestFinished(async () => {
    await world.accounts.query(`DROP TRIGGER ${name} ON ${table}`);
  });
}

const refuses = "RAISE EXCEPTION 'full' USING ERRCODE = '53300'";
const losesAnswer = 'PERFORM pg_terminate_backend(pg_backend_pid())';
const body = { name: 'levels', content: { sql: 'SELECT 1' } };

async function actsOf(key: string): Promise<{ act: string; outcome: string | null }[]> {
  const { results } = (await world.send({ path: '/v1/audit', key })).body;
  return results.map(({ act, outcome }: { act: string; outcome: string | null }) => ({ act, outcome }));
}

// Invariant (Management): 6001 without `outcomeUnknown` means that the call changed nothing
test('a change that was made is answered, also when its outcome cannot be recorded', async () => {
  const { key } = await world.project();
  await sabotage('BEFORE UPDATE', 'registry.acts', refuses);
  const { status } = await world.send({ method: 'POST', path: '/v1/saved-queries', key, body });
  expect(status).toBe(200);
  expect((await world.send({ path: '/v1/saved-queries', key })).body.results).toHaveLength(1);
  expect(await actsOf(key)).toEqual([{ act: 'createSavedQuery', outcome: null }]);
});

test.each([
  ['can be recorded', 'SELECT'],
  ['cannot be recorded', refuses],
])('an unknown outcome stays unknown when it %s, and the trail names none', async (_, recording) => {
  const { key } = await world.project();
  await sabotage('AFTER INSERT', 'registry.saved', losesAnswer);
  if (recording === refuses) await sabotage('BEFORE UPDATE', 'registry.acts', refuses);
  const { body: fault } = await world.send({ method: 'POST', path: '/v1/saved-queries', key, body });
  expect(fault).toMatchObject({ code: 6001, data: { outcomeUnknown: true } });
  expect(await actsOf(key)).toEqual([{ act: 'createSavedQuery', outcome: null }]);
});

test('a refused write is known to have changed nothing, unless the call wrote something before', async () => {
  const { key } = await world.project();
  await sabotage('BEFORE INSERT', 'registry.event_types', `IF NEW.name = 'second' THEN ${refuses}; END IF`);
  const declare = (...names: string[]) =>
    world.send({
      method: 'POST',
      path: '/v1/declarations',
      key,
      body: { declarations: names.map((name) => ({ name, declaration: { type: 'object' } })) },
    });
  expect((await declare('second')).body).toMatchObject({ code: 6001, data: { retryAfterSeconds: 1 } });
  expect((await declare('second')).body.data).not.toHaveProperty('outcomeUnknown');
  const { body: fault } = await declare('first', 'second');
  expect(fault).toMatchObject({ code: 6001, data: { outcomeUnknown: true } });
  expect((await world.send({ path: '/v1/event-types', key })).body.results).toHaveLength(1);
  const outcomes = (await actsOf(key)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual([null, 'temporarilyUnavailable', 'temporarilyUnavailable']);
});
