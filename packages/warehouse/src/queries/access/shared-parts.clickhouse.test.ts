import { randomUUID } from 'node:crypto';
import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connectClickHouse } from '../../clickhouse.ts';
import { createTestProject, runOn } from '../../test-project.ts';
import { createTestType } from '../../test-rows.ts';

const { url, database } = await freshClickHouse();
const mine = createTestProject({ url, database, newId: randomUUID });
/** One before and one after the own project in the order of the table. */
const others = ['p-000000000000', 'p-zzzzzzzzzzzz'];
const levelUp = createTestType('level_up', 1, { level: { type: 'integer' } });

/** Several marks of the index are in this hour of the other project, and none of the own one. */
const busyHour = Date.UTC(2026, 10, 17, 6) / 1000;

beforeAll(async () => {
  await mine.warehouse.migrate();
  // More rows than the dictionary of the part has values: ClickHouse then evaluates functions for its values.
  await mine.store(levelUp, ...Array.from({ length: 200 }, (_, level) => ({ level })));
  await mine.applyView(levelUp);
  for (const project of others) {
    await runOn(
      url,
      `INSERT INTO ${database}.events (chunk_id, project, type, version, event_id, received, occurred, key_kind, account_id, sdk_name, sdk_version, data)
SELECT generateUUIDv4(), '${project}', if(number < 30000, 'level_up', 'a_type_of_the_other'), 77, generateUUIDv4(),
  toDateTime64(${busyHour}, 3, 'UTC'), toDateTime64(${busyHour}, 3, 'UTC') + rand() % 3600, 'public',
  'u-of-the-other', 'sdk-of-the-other', '99.99.99', '{"salary":1,"name":"x","tags":[1],"objs":[{"k":1}]}' FROM numbers(45000)`,
    );
  }
  // The first query creates the view of all events.
  await askChecked('SELECT 1 AS n');
  // One part holds the rows of both projects.
  await runOn(url, `OPTIMIZE TABLE ${database}.events FINAL`);
});
afterAll(() => mine.drop());

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
  return (await answer.stream.toArray()).join('').trim();
}

async function askChecked(sql: string): Promise<string> {
  const { projectId } = mine;
  const result = await mine.warehouse.runQuery({ projectId, sql, format: 'JSONEachRow' });
  if (result.kind === 'rows') return /\d+/.exec((await result.stream.toArray()).join(''))?.[0] ?? '';
  return result.kind === 'refused' ? `refused: ${result.reason}` : result.kind;
}

/** Each fails for a value of the other project, and counts nothing otherwise. */
const conditions = {
  'the dictionary of types': "toFixedString(type, 8) = 'x'",
  'a function of the dictionary of types': "toFixedString(extract(type, '^a_type.*'), 1) = 'z'",
  'the dictionary of SDKs': "toFixedString(sdk_name, 5) = 'x'",
  'the dictionary of versions of SDKs': "toFixedString(sdk_version, 5) = 'x'",
  'the hours in the index': `accurateCast(toUnixTimestamp(toStartOfHour(occurred)) - ${busyHour + 1}, 'UInt32') = 7`,
  'the smallest and largest version of a part': "accurateCast(76 - toInt32(version), 'UInt32') = 7",
  'the smallest and largest time of a part': `accurateCast(toUnixTimestamp(received) - ${busyHour + 1}, 'UInt32') = 7`,
};

// Invariant (Queries): No expression of a customer's query is evaluated for values that other projects
// have in the same part: dictionaries, marks of the key
describe('a condition does not see what other projects have in the same part:', () => {
  test.each(Object.entries(conditions))('%s', async (_, condition) => {
    for (const table of ['events', ...(condition.includes('type') ? [] : ['level_up'])]) {
      const sql = `SELECT count() AS n FROM ${table} WHERE ${condition}`;
      expect(await askUnchecked(sql)).toBe('0');
      expect(await askChecked(sql)).toBe('0');
    }
  });
});

test('the function of the key is refused: ClickHouse evaluates what is built on it for the hours of all projects', async () => {
  const sql = `SELECT count() AS n FROM events WHERE accurateCast(toRelativeHourNum(occurred) - ${busyHour / 3_600 + 1}, 'UInt32') = 7`;
  expect(await askUnchecked(sql)).toBe('70');
  expect(await askChecked(sql)).toBe('refused: function');
});

describe('a conversion does not see the types that a member has in other projects:', () => {
  const counting = (call: string) =>
    `SELECT count() AS n FROM events WHERE length(toString(tuple(${call}))) > 0`;
  /** `salary` is a number there, `name` a text, `tags` a list and `objs` a list of objects. */
  const answersFor = async (call: string) => {
    const absent = call.replaceAll(/salary|name|tags|objs/g, 'absent');
    const [real, control] = [await askChecked(counting(call)), await askChecked(counting(absent))];
    return { real, control, unchecked: await askUnchecked(counting(call)) };
  };

  test.each([
    'toUUID(data.salary)',
    'toIPv4(data.salary)',
    "CAST(data.salary, 'Array(Int64)')",
    'data.salary::Array(String)',
    'toInt64(data.tags)',
    'toDate(data.tags)',
    "accurateCast(data.salary, 'IPv4')",
    "CAST(data.name, 'Map(String, Int64)')",
    "CAST(if(1, data.salary, data.salary), 'Array(Int64)')",
    "CAST((SELECT any(data.salary) FROM events), 'Array(Int64)')",
    "CAST(data.objs[].k, 'Array(UUID)')",
  ])('%s is refused: ClickHouse would fail for it', async (call) => {
    expect(await answersFor(call)).toEqual({
      real: 'refused: construct',
      control: 'refused: construct',
      unchecked: expect.stringMatching(/^(43|44|48|53|70)$/),
    });
  });

  test('data.tags::Int64 answers as for an unknown member, and ClickHouse would fail for it', async () => {
    expect(await answersFor('data.tags::Int64')).toEqual({ real: '200', control: '200', unchecked: '43' });
  });

  test.each([
    'data.salary::UUID',
    'data.name::Nullable(DateTime)',
    'toString(data.tags)',
    "CAST(data.tags, 'Nullable(String)')",
    "CAST(data.salary.:Int64, 'Nullable(UInt8)')",
    'toInt64OrNull(toString(data.tags))',
    "CAST(toJSONString(data.salary), 'Nullable(String)')",
    "toDate(occurred, 'Europe/Berlin') = today() OR data.tags = 1",
    'toInt64(version) + length(toString(data.tags))',
    'toFloat64(length(toString(data.tags)))',
    '(SELECT toFloat64(uniq(data.tags)) FROM events)',
    'data.salary.:`Array(Nullable(Int64))`',
    'data.salary = [1]',
    'data.name + 1',
    'data.tags + 1',
    'concat(data.tags, data.name)',
  ])('%s answers as for an unknown member', async (call) => {
    expect(await answersFor(call)).toMatchObject({ real: '200', control: '200' });
  });
});
