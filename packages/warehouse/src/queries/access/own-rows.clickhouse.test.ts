import { randomUUID } from 'node:crypto';
import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connectClickHouse } from '../../clickhouse.ts';
import { createTestProject, runOn } from '../../test-project.ts';
import { createTestType } from '../../test-rows.ts';
import type { TypedView } from '../../views/typed-view.ts';
import type { QueryResult } from '../queries.ts';

const { url, database } = await freshClickHouse();
const mine = createTestProject({ url, database, newId: randomUUID });
const other = createTestProject({ url, database, newId: randomUUID });
const levelUp = createTestType('level_up', 1, { level: { type: 'integer' }, name: { type: 'string' } });

beforeAll(async () => {
  await mine.warehouse.migrate();
  await mine.store(levelUp, { level: 1, name: 'own' }, { level: 2, name: 'own' });
  await other.store(levelUp, { level: 0, name: 'foreign' });
  await mine.applyView(levelUp);
  await other.applyView(levelUp);
  // One part holds the rows of both projects.
  await runOn(url, `OPTIMIZE TABLE ${database}.events FINAL`);
});
afterAll(async () => {
  await mine.drop();
  await other.drop();
});

/** Fails with 153 for a row of the other project, and for no row of the own one. */
const failing = 'intDiv(1, assumeNotNull(level))';
const failingMember = 'intDiv(1, assumeNotNull(data.level.:Int64))';

const forms: Readonly<Record<string, string>> = {
  WHERE: `SELECT count() FROM level_up WHERE ${failing} >= 0`,
  'a conjunction': `SELECT count() FROM level_up WHERE name = 'own' AND ${failing} >= 0`,
  'a disjunction': `SELECT count() FROM level_up WHERE name = 'foreign' OR ${failing} >= 0`,
  'the view of all events': `SELECT count() FROM events WHERE ${failingMember} >= 0`,
  'a selected column': `SELECT ${failing} FROM level_up`,
  'a subquery': `SELECT count() FROM (SELECT ${failing} AS x FROM level_up) WHERE x >= 0`,
  'a condition on a subquery': `SELECT count() FROM (SELECT * FROM level_up) WHERE ${failing} >= 0`,
  'a common expression': `WITH own AS (SELECT * FROM level_up) SELECT count() FROM own WHERE ${failing} >= 0`,
  'a scalar subquery': `SELECT (SELECT sum(${failing}) FROM level_up)`,
  IN: `SELECT count() FROM level_up WHERE level IN (SELECT ${failing} FROM level_up)`,
  'the condition of a JOIN':
    'SELECT count() FROM level_up AS a JOIN level_up AS b ON a.event_id = b.event_id AND intDiv(1, assumeNotNull(b.level)) >= 0',
  'the key of a JOIN':
    'SELECT count() FROM level_up AS a JOIN level_up AS b ON intDiv(1, assumeNotNull(a.level)) = intDiv(1, assumeNotNull(b.level))',
  'a filter behind a JOIN':
    'SELECT count() FROM level_up AS a LEFT JOIN events AS b ON a.event_id = b.event_id WHERE intDiv(1, assumeNotNull(b.data.level.:Int64)) >= 0',
  'a CROSS JOIN':
    'SELECT count() FROM level_up AS a CROSS JOIN level_up AS b WHERE intDiv(1, assumeNotNull(b.level)) >= 0',
  'ARRAY JOIN': `SELECT count() FROM level_up ARRAY JOIN [${failing}] AS x WHERE x >= 0`,
  'ORDER BY': `SELECT level FROM level_up ORDER BY ${failing}`,
  'ORDER BY with LIMIT': `SELECT level FROM level_up ORDER BY ${failing} LIMIT 1`,
  'LIMIT BY': `SELECT level FROM level_up LIMIT 1 BY ${failing}`,
  'GROUP BY': `SELECT count() FROM level_up GROUP BY ${failing}`,
  HAVING: `SELECT level FROM level_up GROUP BY level HAVING min(${failing}) >= 0`,
  'an aggregate': `SELECT sum(${failing}) FROM level_up`,
  'a conditional aggregate': `SELECT countIf(${failing} >= 0) FROM level_up`,
  'a window': `SELECT sum(level) OVER (PARTITION BY ${failing}) FROM level_up`,
  QUALIFY: `SELECT level FROM level_up QUALIFY row_number() OVER (ORDER BY ${failing}) >= 0`,
  DISTINCT: `SELECT DISTINCT ${failing} FROM level_up`,
  UNION: `SELECT ${failing} FROM level_up UNION ALL SELECT ${failingMember} FROM events`,
};

/** The code of the error, or the result. No part of the check of the SQL runs. */
async function askUnchecked(sql: string): Promise<string> {
  const clickhouse = connectClickHouse({ url, maxConnections: 1 });
  onTestFinished(() => clickhouse.close());
  const answer = await clickhouse.stream(`${sql} FORMAT TSV`, {
    timeoutMs: 20_000,
    database: mine.viewDatabase,
    as: { role: 'tickrate_reader' },
    settings: { readonly: '1' },
  });
  if (answer.kind === 'fault') return answer.code;
  return (await answer.stream.toArray()).join('');
}

async function askChecked(sql: string, masked?: readonly TypedView[]): Promise<string> {
  const { projectId } = mine;
  const result = await mine.warehouse.runQuery({ projectId, sql, masked, format: 'JSONEachRow' });
  return result.kind === 'rows' ? (await result.stream.toArray()).join('') : refusal(result);
}

function refusal(result: Exclude<QueryResult, { kind: 'rows' }>): string {
  return result.kind === 'refused' ? `refused: ${result.reason}` : result.kind;
}

// Invariant (Queries): No function of a customer's SQL shows how ClickHouse stores or splits rows, and
// rows of others in the same part change no answer
// Invariant (Queries): Every part of a customer's SQL is evaluated on rows of its own project only: joins,
// subqueries, sorts, aggregates, windows
test('a view has no PREWHERE, which ClickHouse would run before its conditions', async () => {
  const sql = `SELECT count() FROM events PREWHERE ${failingMember} >= 0`;
  expect(await askUnchecked(sql)).toMatch(/^(60|182)$/);
  expect(await askChecked(sql)).toMatch(/^refused/);
});

test('the expression fails for a row of the other project', async () => {
  await expect(
    runOn(
      url,
      `SELECT count() FROM ${other.viewDatabase}.level_up WHERE ${failing} >= 0 SETTINGS max_threads = 1`,
    ),
  ).rejects.toThrow();
});

describe.each(Object.entries(forms))('an expression in %s', (_, sql) => {
  test('sees only rows of the own project', async () => {
    expect(await askUnchecked(sql)).toMatch(/^(?!153$)[\d\n]+$/);
    expect(await askChecked(sql)).toMatch(/^\{/);
  });
});

describe('rows of another project in the same part change no answer', () => {
  const calls = [
    'toString(data)',
    'toJSONString(data)',
    'sipHash64(data)',
    'cityHash64(data)',
    'toTypeName(data)',
    'JSONAllPaths(data)',
    'JSONAllPathsWithTypes(data)',
    'dynamicType(data.level)',
    'data.^level',
    'data.p1',
    'any(data)',
    'uniq(data)',
    'groupArray(data)',
    'data::Dynamic',
    'tuple(data)',
  ];
  const binary = [
    'hex(anyState(data))',
    'cityHash64(anyState(data))',
    'hex(groupArrayIfState(data, 1))',
    'hex(argMaxState(data, type)::String)',
    "hex(initializeAggregation('anyState', data))",
    "hex(arrayReduce('anyState', [data]))",
    "hex(formatRow('RowBinary', data))",
    "hex(formatRowNoNewline('RowBinary', data))",
    "hex(groupFormat('Native')(data))",
    "arrayMap(formatRow, ['RowBinary'], [data])",
  ];
  const wide = createTestType('wide', 1, {
    ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i}`, { type: 'integer' }])),
  });
  const queryOf = (call: string) =>
    `SELECT ${call} AS x FROM (SELECT * FROM events ORDER BY event_id LIMIT 1)`;

  /** One after the other, because a project has a limit of concurrent queries. */
  async function answersOf(asked: readonly string[]): Promise<string[]> {
    const answers: string[] = [];
    for (const call of asked) answers.push(await askChecked(queryOf(call)));
    return answers;
  }

  test('in functions over whole events', async () => {
    const before = await answersOf(calls);
    const event = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i}`, i]));
    await other.store(wide, ...Array.from({ length: 50 }, () => event));
    await runOn(url, `OPTIMIZE TABLE ${database}.events FINAL`);
    expect(await answersOf(calls)).toEqual(before);
    expect(before.filter((text) => !text.startsWith('{'))).toEqual([]);
  });

  test.each(binary)('%s is refused, because it shows how ClickHouse stores the event', async (call) => {
    expect(await askChecked(queryOf(call))).toMatch(/^refused: (function|construct)$/);
  });
});

test.each(['_database', '_table', 'a._database', 'a.`_table`'])(
  'the virtual column %s is refused: it names views that are not the ones in the query',
  async (column) => {
    const { projectId } = mine;
    const masked = [{ projectId, typeName: 'level_up', description: null, versions: [levelUp] }];
    for (const views of [undefined, masked])
      expect(await askChecked(`SELECT ${column} AS x FROM level_up AS a`, views)).toBe('refused: name');
    expect(await askChecked('SELECT level AS _table_ FROM level_up LIMIT 1', masked)).toMatch(/^\{/);
  },
);
