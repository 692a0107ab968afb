import { randomUUID } from 'node:crypto';
import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connectClickHouse } from '../../clickhouse.ts';
import { createTestProject } from '../../test-project.ts';
import { createTestType } from '../../test-rows.ts';

const { url, database } = await freshClickHouse();
const mine = createTestProject({ url, database, newId: randomUUID });
const other = createTestProject({ url, database, newId: randomUUID });
const levelUp = createTestType('level_up', 1, { level: { type: 'integer' } });

beforeAll(async () => {
  await mine.warehouse.migrate();
  for (const [project, level] of [
    [mine, 1],
    [other, 0],
  ] as const) {
    await project.store(levelUp, { level });
    await project.applyView(levelUp);
  }
});
afterAll(async () => {
  await mine.drop();
  await other.drop();
});

/** The result of a query without a check of its SQL. */
async function ask(sql: string, as: { role: string; database: string }): Promise<string> {
  const clickhouse = connectClickHouse({ url, maxConnections: 1 });
  onTestFinished(() => clickhouse.close());
  const answer = await clickhouse.stream(`${sql} FORMAT TSV`, {
    timeoutMs: 20_000,
    database: as.database,
    as: { role: as.role },
    settings: { readonly: '1' },
  });
  if (answer.kind === 'fault') return answer.code;
  return (await answer.stream.toArray()).join('').trim();
}

const reader = () => ({ role: 'tickrate_reader', database: mine.viewDatabase });

// Invariant (Queries): The rights of ClickHouse users and embedded roles limit a project to its own rows,
// even for unchecked SQL
test.each([
  ['SELECT count() FROM level_up WHERE intDiv(1, assumeNotNull(level)) = 1', '1'],
  ['SELECT count() FROM OTHER.level_up', '0'],
  ['SELECT count() FROM (SELECT * FROM OTHER.level_up SETTINGS readonly = 0)', '164'],
  ['SELECT count() FROM TABLE', '497'],
  ["SELECT count() FROM mergeTreeIndex('DATABASE', 'events')", '48'],
  ['SELECT count() FROM system.users', '497'],
  ["SELECT * FROM file('/etc/passwd', LineAsString)", '497'],
  ["SELECT * FROM url('http://127.0.0.1:9/', LineAsString)", '48'],
  ["SELECT count() FROM remote('127.0.0.1', OTHER.level_up)", '48'],
  ['SET ROLE tickrate_everything; SELECT 1', '48'],
  ['SELECT 1; SELECT 2', '62'],
])(
  'a reader of one project gets only allowed rows of %s, without a check of the SQL',
  async (sql, answer) => {
    const asked = sql
      .replace('OTHER', other.viewDatabase)
      .replace('TABLE', `${database}.events`)
      .replace('DATABASE', database);
    expect(await ask(asked, reader())).toBe(answer);
  },
);

test('a caller without the scope for personal data cannot read the complete views', async () => {
  const masked = { role: 'tickrate_masked', database: mine.viewDatabase.replace('project_', 'masked_') };
  expect(
    await ask(`SELECT count() FROM ${mine.viewDatabase}.level_up`, {
      ...masked,
      database: mine.viewDatabase,
    }),
  ).toBe('497');
});

test('these roles work only in the database of a project', async () => {
  for (const elsewhere of ['default', database, 'system']) {
    expect(
      await ask(`SELECT count() FROM ${other.viewDatabase}.level_up`, { ...reader(), database: elsewhere }),
    ).toBe('497');
  }
});
