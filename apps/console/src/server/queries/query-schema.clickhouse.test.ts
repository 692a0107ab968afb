import { expect, test } from 'vitest';
import { startStoredWorld } from '../../testing/console-harness.ts';

const { world } = await startStoredWorld();

async function schemaOf(scopes?: readonly string[]) {
  const { key, projectId } = await world.project(scopes);
  const properties = {
    level: { type: 'integer', description: 'The level that was reached' },
    nick: { type: 'string', 'x-personal': true },
  };
  await world.registry.declareEventType({
    projectId,
    name: 'level_up',
    description: 'A character reached a new level',
    declaration: { type: 'object', properties },
  });
  const { status, body } = await world.send({ path: '/v1/query/schema', key });
  expect(status).toBe(200);
  return { key, body };
}

test('the schema lists tables with columns and comments, and functions with their syntax', async () => {
  const { body } = await schemaOf();
  const [events, levelUp] = body.tables;
  expect([events.name, levelUp.name, levelUp.comment]).toEqual([
    'events',
    'level_up',
    'A character reached a new level',
  ]);
  expect(levelUp.columns).toContainEqual({
    name: 'level',
    type: 'Nullable(Int64)',
    comment: 'The level that was reached',
  });
  const names = body.functions.map(({ name }: { name: string }) => name);
  expect(names).toContain('windowFunnel');
  expect(names).not.toContain('file');
  const funnel = body.functions.find(({ name }: { name: string }) => name === 'windowFunnel');
  expect(funnel).toMatchObject({ isAggregate: true });
  // ClickHouse knows the syntax of most functions, and of few aggregate functions.
  const known = body.functions.filter(({ syntax }: { syntax: string }) => syntax !== '');
  expect(known.length).toBeGreaterThan(300);
});

test('without the scope for personal data, its columns are missing', async () => {
  const { body } = await schemaOf(['queries:read']);
  const names = body.tables.map(({ columns }: { columns: { name: string }[] }) =>
    columns.map(({ name }) => name),
  );
  expect(names.flat()).not.toContain('account_id');
  expect(names.flat()).not.toContain('data');
  expect(names.flat()).not.toContain('nick');
  expect(names.flat()).toContain('level');
});
