import { beforeAll, expect, test } from 'vitest';
import { type ManagedProject, startStoredWorld } from '../../testing/console-harness.ts';

const { world, clickhouse, warehouse } = await startStoredWorld();
let mine: ManagedProject;

beforeAll(async () => {
  mine = await world.project();
  const other = await world.project();
  for (const { projectId } of [mine, other]) {
    await warehouse.applyTypedView({
      projectId,
      typeName: 'level_up',
      description: null,
      versions: [{ version: 1, columns: [levelColumn] }],
    });
  }
  const [now, far] = ['2026-11-02 10:00:00', '2290-01-01 00:00:00'];
  const theirs = { projectId: other.projectId, type: 'secret_type', level: 0, sdk: 'a secret of theirs' };
  // One insert, so that the rows of both are in the same part; and a second part with their rows only.
  await store([
    { projectId: mine.projectId, type: 'level_up', level: 1, sdk: 'mine', received: now, occurred: now },
    { ...theirs, received: now, occurred: far },
    { ...theirs, type: 'level_up', received: now, occurred: far },
  ]);
  await store([{ ...theirs, received: far, occurred: far }]);
  // A distant hour of 32 bits, because the primary key stores hours.
  await store([{ ...theirs, type: 'level_up', received: now, occurred: '2100-01-01 00:00:00' }]);
});

const levelColumn = {
  path: 'level',
  type: 'Int64',
  nullable: true,
  description: null,
  deprecated: false,
  personal: false,
};

interface Stored {
  readonly projectId: string;
  readonly type: string;
  readonly level: number;
  readonly sdk: string;
  readonly received: string;
  readonly occurred: string;
}

async function store(events: readonly Stored[]): Promise<void> {
  const rows = events.map(({ projectId, type, level, sdk, received, occurred }) => ({
    project: projectId,
    type,
    version: 1,
    key_kind: 'session',
    sdk_name: sdk,
    event_id: crypto.randomUUID(),
    chunk_id: crypto.randomUUID(),
    received,
    occurred,
    data: { level },
  }));
  await clickhouse.run(
    `INSERT INTO events FORMAT JSONEachRow ${rows.map((row) => JSON.stringify(row)).join('\n')}`,
  );
}

function query(sql: string) {
  return world.send({ method: 'POST', path: '/v1/query', key: mine.key, body: { sql } });
}

/** Each fails if it is evaluated for a row of another project, and returns 1 otherwise. */
const oracles = [
  "SELECT count() AS n FROM events WHERE toUInt8(if(sdk_name != 'mine', concat(toString(event_id), toJSONString(data)), '1')) = 1",
  "SELECT count() AS n FROM events WHERE throwIf(sdk_name != 'mine') = 0",
  'SELECT count() AS n FROM events WHERE intDiv(1, assumeNotNull(data.level.:Int64)) = 1',
  "SELECT count() AS n FROM events WHERE CAST(if(sdk_name != 'mine', sdk_name, '1'), 'UInt8') = 1",
  "SELECT count() AS n FROM events WHERE accurateCast(if(sdk_name != 'mine', sdk_name, '1'), 'UInt8') = 1",
  "SELECT countIf(throwIf(sdk_name != 'mine') = 0) AS n FROM events",
  'SELECT count() AS n FROM level_up WHERE intDiv(1, assumeNotNull(level)) = 1',
  "SELECT count() AS n FROM level_up WHERE throwIf(sdk_name != 'mine') = 0",
  "SELECT n FROM (SELECT count() AS n FROM (SELECT sdk_name AS s FROM level_up) WHERE toUInt8(if(s != 'mine', s, '1')) = 1)",
  "SELECT count() AS n FROM events WHERE event_id IN (SELECT event_id FROM level_up WHERE throwIf(sdk_name != 'mine') = 0)",
  "SELECT count() AS n FROM events AS a INNER JOIN level_up AS b ON a.event_id = b.event_id WHERE throwIf(a.sdk_name != 'mine') = 0 AND throwIf(b.sdk_name != 'mine') = 0",
  "SELECT count() AS n FROM events AS a CROSS JOIN level_up AS b WHERE throwIf(concat(a.sdk_name, b.sdk_name) != 'minemine') = 0",
  "SELECT count() AS n FROM events AS a INNER JOIN level_up AS b ON a.event_id = b.event_id AND throwIf(a.sdk_name != 'mine') = 0",
  "SELECT count() AS n FROM numbers(1) AS x INNER JOIN events AS e ON x.number = toUInt8(if(e.sdk_name != 'mine', e.sdk_name, '0'))",
  "SELECT count() AS n FROM events LEFT JOIN (SELECT event_id FROM level_up WHERE throwIf(sdk_name != 'mine') = 0) AS b USING (event_id)",
  "SELECT count() AS n FROM events WHERE toDateTime64(occurred, 9) > '2000-01-01 00:00:00'",
  'SELECT count() AS n FROM events WHERE toUnixTimestamp64Nano(toDateTime64(occurred, 9)) > 0',
  "SELECT count() AS n FROM events WHERE toDateTime64(toUnixTimestamp(toStartOfHour(occurred)) + 7400000000, 9) > '1900-01-01 00:00:00'",
  "SELECT count() AS n FROM events WHERE toDateTime64(received, 9) > '2000-01-01 00:00:00'",
  'SELECT count() AS n FROM events WHERE toDateTime64(received, 9) IN (SELECT toDateTime64(received, 9) FROM events)',
  "SELECT count() AS n FROM events WHERE CAST(type, 'Enum8(\\'level_up\\' = 1)') = 'level_up'",
  "SELECT toString(1) AS n FROM events WHERE toDateTime64(received, 9) > '2000-01-01 00:00:00' ORDER BY toDateTime64(occurred, 9) LIMIT 1",
];

// Invariant (Queries): No expression of a customer's query is evaluated for a row, or an index entry of
// `received`, of another project
test.each(oracles)('no row of another project is evaluated by %s', async (sql) => {
  expect((await query(sql)).body).toMatchObject({ data: [{ n: '1' }] });
});

const noPosition = 'the name of a type, or a clause that a query cannot have here, cannot be parsed';

test.each([
  ['SELECT 1 UNION ALL SELECT 2 FORMAT Null SETTINGS max_threads = 1', noPosition],
  ["SELECT CAST('1', 'Nonsense(((') AS n", noPosition],
  ["SELECT toTypeName(CAST(1, 'Decimal(')) AS n", noPosition],
  ["SELECT count() AS n FROM events WHERE CAST(sdk_name, 'Enum8(') = 1", noPosition],
  ["SELECT JSONExtract('{}', 'a', 'Tuple(') AS n", noPosition],
  ['SELECT 1;\nSELECT 2', 'syntax error at position 9, line 1, column 9'],
  ['SELECT 1,\n  2 FROM FROM events', 'syntax error at position 25, line 2, column 15'],
])('the refusal of %j shows a position only in the text of its author', async (sql, message) => {
  expect((await query(sql)).body.data.queryFailureErrors[0].message).toBe(message);
});

test.each([
  [
    'SELECT toUInt8(sdk_name) AS n FROM events',
    'a text cannot be converted to the required type: toUInt8 (ClickHouse 6)',
  ],
  [
    "SELECT throwIf(sdk_name = 'mine', sdk_version) AS n FROM events",
    expect.stringMatching(/^[^']*\(ClickHouse \d+\)$/),
  ],
  ['SELECT levl FROM level_up', 'unknown name: levl (ClickHouse 47)'],
  ['SELECT `levl` FROM level_up', 'unknown name: levl (ClickHouse 47)'],
  ['SELECT u.levl FROM level_up AS u', 'unknown name: u.levl (ClickHouse 47)'],
  [
    'SELECT level FROM level_up AS a JOIN level_up AS b ON a.level = b.scre',
    'unknown name: b.scre (ClickHouse 47)',
  ],
  ['SELECT count() FROM level_up WHERE levl = 1 GROUP BY level', 'unknown name: levl (ClickHouse 47)'],
  ['SELECT 1 FROM level_upp', 'unknown table in this project: level_upp'],
  ['SELECT 1 FROM `level.upp`', 'there is no table level.upp in this project'],
  [
    'SELECT 1 FROM level_up AS a LEFT JOIN sesions AS b ON a.level = b.level',
    'unknown table in this project: sesions',
  ],
  ['SELECT 1 FROM FROM events', 'syntax error at position 20'],
])('the error of %s contains no value', async (sql, message) => {
  const { status, body } = await query(sql);
  expect([status, body.data.queryFailureErrors[0].message]).toEqual([400, message]);
});
