import { randomUUID } from 'node:crypto';
import { freshClickHouse } from '@tickrate/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestProject, runOn } from '../../test-project.ts';
import { createTestType } from '../../test-rows.ts';
import type { QueryResult } from '../queries.ts';
import { isAllowedFunction, takesAggregateName, takesFunction } from './allowed-functions.ts';
import { functionNames } from './function-names.ts';

const { url, database } = await freshClickHouse();
const mine = createTestProject({ url, database, newId: randomUUID });
const other = createTestProject({ url, database, newId: randomUUID });
const levelUp = createTestType('level_up', 1, { level: { type: 'integer' }, score: { type: 'number' } });
const dotted = createTestType('match.won', 1, { level: { type: 'integer' } });
const [own, foreign] = [mine.viewDatabase, other.viewDatabase];

beforeAll(async () => {
  await mine.warehouse.migrate();
  await mine.store(levelUp, { level: 1, score: 10 }, { level: 2, score: 30 }, { level: 2, score: 50 });
  await mine.store(dotted, { level: 9 });
  await mine.applyView(levelUp);
  await mine.applyView(dotted);
  await other.store(levelUp, { level: 666, score: 666 });
  await other.applyView(levelUp);
  await runOn(url, `CREATE TABLE ${database}.secret (a UInt8) ENGINE = Memory`);
});
afterAll(async () => {
  await mine.drop();
  await other.drop();
});

async function ask(sql: string, parameters?: Record<string, unknown>) {
  const result = await mine.warehouse.runQuery({
    projectId: mine.projectId,
    sql,
    parameters,
    format: 'JSONEachRow',
  });
  return result.kind === 'rows' ? { kind: 'rows' as const, text: await textOf(result) } : result;
}

async function textOf({ stream }: Extract<QueryResult, { kind: 'rows' }>): Promise<string> {
  let text = '';
  for await (const part of stream) text += part;
  return text;
}

const table = [
  'SELECT * FROM system.tables',
  'SELECT * FROM `system`.`tables`',
  'SELECT * FROM "system"."tables"',
  'SELECT * FROM system . tables',
  'SELECT * FROM/**/system/**/./**/tables',
  'SELECT * FROM system.--x\ntables',
  'SELECT * FROM system.one, system.tables',
  'SELECT * FROM INFORMATION_SCHEMA.TABLES',
  'SELECT * FROM information_schema.tables',
  `SELECT * FROM ${database}.events`,
  `SELECT * FROM ${database}.secret`,
  `SELECT * FROM ${foreign}.level_up`,
  `SELECT * FROM \`${foreign}\`.\`level_up\``,
  'SELECT * FROM default.x',
  'SELECT (SELECT count() FROM system.tables)',
  'SELECT 1 WHERE 1 IN (SELECT 1 FROM system.tables)',
  `SELECT * FROM level_up WHERE level IN ${foreign}.level_up`,
  `SELECT * FROM level_up WHERE level IN (${foreign}.level_up)`,
  `SELECT * FROM level_up WHERE level = ANY (SELECT level FROM ${foreign}.level_up)`,
  `SELECT count() FILTER (WHERE level IN ${foreign}.level_up) FROM level_up`,
  `SELECT * FROM level_up WHERE level NOT IN ${foreign}.level_up`,
  `SELECT * FROM level_up WHERE level GLOBAL IN ${foreign}.level_up`,
  `SELECT * FROM level_up WHERE in(level, ${foreign}.level_up)`,
  `SELECT * FROM level_up WHERE (level, score) IN ${foreign}.level_up`,
  'WITH x AS (SELECT * FROM system.tables) SELECT * FROM x',
  'WITH level_up AS (SELECT * FROM system.tables) SELECT * FROM level_up',
  'WITH (SELECT count() FROM system.tables) AS n SELECT n',
  'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT 2 FROM system.tables) SELECT * FROM r',
  'SELECT 1 UNION ALL SELECT 2 FROM system.tables',
  'SELECT 1 EXCEPT SELECT 2 FROM system.tables',
  'SELECT 1 INTERSECT SELECT 2 FROM system.tables',
  '(SELECT 1) UNION DISTINCT (SELECT 2 FROM system.tables)',
  `SELECT * FROM level_up AS a JOIN ${foreign}.level_up AS b ON a.level = b.level`,
  `SELECT * FROM level_up AS a ASOF JOIN ${foreign}.level_up AS b USING (level, score)`,
  `SELECT * FROM level_up CROSS JOIN ${foreign}.level_up`,
  `SELECT * FROM level_up PASTE JOIN ${foreign}.level_up`,
  'SELECT * FROM level_up JOIN (SELECT * FROM (SELECT * FROM system.tables)) AS b ON 1 = 1',
  'SELECT EXISTS(SELECT 1 FROM system.tables)',
  'SELECT level FROM level_up ORDER BY (SELECT count() FROM system.tables)',
  'SELECT level FROM level_up LIMIT (SELECT count() FROM system.tables)',
  'SELECT level FROM level_up LIMIT 1 BY (SELECT count() FROM system.tables)',
  'SELECT level FROM level_up GROUP BY level HAVING (SELECT count() FROM system.tables)',
  'SELECT sum(level) OVER (PARTITION BY (SELECT count() FROM system.tables)) FROM level_up',
  'SELECT sum(level) OVER w FROM level_up WINDOW w AS (ORDER BY (SELECT count() FROM system.tables))',
  'SELECT level FROM level_up ORDER BY level WITH FILL FROM (SELECT count() FROM system.tables)',
  'SELECT arrayMap(x -> (SELECT count() FROM system.tables), [1])',
  'SELECT * APPLY(x -> (SELECT count() FROM system.tables)) FROM level_up',
  'SELECT * REPLACE((SELECT count() FROM system.tables) AS level) FROM level_up',
  'SELECT level FROM level_up PREWHERE (SELECT count() FROM system.tables) > 0',
  'SELECT if(1, (SELECT name FROM system.users), 2)',
  'SELECT [(SELECT count() FROM system.tables)]',
  'SELECT 1 AS `system.tables` FROM system.tables',
  'SELECT * FROM (SELECT * FROM system.tables AS level_up)',
  'FROM system.tables SELECT *',
  'SELECT * FROM system.numbers LIMIT 1',
  'SELECT * FROM system.query_log',
  'SELECT select_filter FROM system.row_policies',
  'SELECT path FROM system.disks',
  'SELECT * FROM level_up ARRAY JOIN (SELECT groupArray(name) FROM system.tables) AS a',
];
const callOf = [
  "SELECT * FROM url('http://127.0.0.1/x', CSV, 'a String')",
  "SELECT * FROM URL('http://127.0.0.1/x')",
  "SELECT * FROM file('/etc/passwd', LineAsString)",
  "SELECT * FROM `file`('/etc/passwd', LineAsString)",
  "SELECT file('/etc/passwd')",
  "SELECT * FROM s3('http://127.0.0.1/x', CSV, 'a String')",
  "SELECT * FROM remote('127.0.0.1', system.tables)",
  "SELECT * FROM remoteSecure('127.0.0.1', system, tables)",
  "SELECT * FROM cluster('default', system.tables)",
  "SELECT * FROM clusterAllReplicas('default', system.tables)",
  "SELECT * FROM executable('x.sh', CSV, 'a String')",
  "SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
  "SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
  "SELECT * FROM sqlite('/tmp/x.db', 'a')",
  "SELECT * FROM mongodb('127.0.0.1:1', 'a', 'b', 'c', 'd', 'e String')",
  "SELECT * FROM redis('127.0.0.1:1', 'k', 'k String')",
  "SELECT * FROM odbc('a', 'b', 'c')",
  "SELECT * FROM jdbc('a', 'b', 'c')",
  "SELECT * FROM hdfs('hdfs://127.0.0.1:1/x', CSV, 'a String')",
  "SELECT * FROM azureBlobStorage('a', 'b', 'c')",
  "SELECT * FROM deltaLake('http://127.0.0.1/x')",
  "SELECT * FROM iceberg('http://127.0.0.1/x')",
  `SELECT * FROM merge('${foreign}', '.*')`,
  "SELECT * FROM merge('.*')",
  'SELECT * FROM view(SELECT * FROM system.tables)',
  "SELECT * FROM viewIfPermitted(SELECT * FROM system.tables ELSE null('a String'))",
  'SELECT * FROM loop(system, tables)',
  "SELECT * FROM dictionary('d')",
  "SELECT dictGet('d', 'a', 1)",
  "SELECT dictGetOrDefault('d', 'a', 1, 2)",
  "SELECT dictHas('d', 1)",
  `SELECT joinGet('${foreign}.j', 'a', 1)`,
  `SELECT hasColumnInTable('${foreign}', 'level_up', 'level')`,
  "SELECT getSetting('max_threads')",
  "SELECT getServerSetting('max_connections')",
  "SELECT getMacro('shard')",
  'SELECT hostName()',
  'SELECT currentUser()',
  'SELECT currentDatabase()',
  'SELECT version()',
  'SELECT version',
  'SELECT sleep(3)',
  'SELECT sleepEachRow(1) FROM level_up',
  "SELECT catboostEvaluate('/x', 1)",
  'SELECT addressToLine(1)',
  'SELECT filesystemAvailable()',
  'SELECT showCertificate()',
  "SELECT getClientHTTPHeader('x')",
  "SELECT * FROM input('a String')",
  "SELECT * FROM format(JSONEachRow, '{}')",
  "SELECT * FROM generateRandom('a String')",
  "SELECT * FROM mergeTreeIndex('x', 'events')",
  "SELECT * FROM fuzzQuery('SELECT 1')",
  "SELECT formatQuery('SELECT 1')",
  "SELECT arrayMap(x -> file(x), ['/etc/passwd'])",
  "SELECT arrayMap(file, ['/etc/passwd'])",
  "SELECT arrayMap(`file`, ['/etc/passwd'])",
  "SELECT arraySort(file, ['/etc/passwd'])",
  "SELECT mapApply(joinGet, map('a', 'b'))",
  "WITH f AS (SELECT 1) SELECT arrayMap(getSetting, ['max_threads'])",
  "SELECT arrayReduce('aggThrow(1.0)', [1])",
  "SELECT arrayReduce('flameGraphIf', [[1]], [1])",
  "SELECT arrayReduceInRanges('estimateCompressionRatio', [(1, 1)], ['a'])",
  "SELECT initializeAggregation('nothing', 1)",
  'SELECT arrayMap(x -> arrayFold(currentUser, [x], 1), [1])',
  'SELECT * APPLY(dictGetString) FROM level_up',
  'SELECT * APPLY file FROM level_up',
];
const otherwise: [string, string][] = [
  ['construct', "SELECT b FROM values('a String, b String ALIAS file(''/etc/passwd'')', 'x')"],
  ['construct', "WITH 'a String, b String ALIAS currentUser()' AS t SELECT b FROM values(t, 'x')"],
  ['construct', "SELECT b FROM VALUES({t:String}, 'x')"],
  ['construct', "SELECT * FROM values(concat('a String, ', 'b String ALIAS file(1)'), 'x')"],
  ['construct', "SELECT * FROM values('constant_value: Tuple_(', 'x')"],
  ['construct', "SELECT hex(CAST('x', 'AggregateFunction(sum, UInt8)'))"],
  ['construct', "SELECT hex('x'::AggregateFunction(sum, UInt8))"],
  ['construct', "SELECT CAST('x', 'Array(`AggregateFunction`(sum, UInt8))')"],
  ['construct', String.raw`SELECT CAST('x', '"Aggregate\\x46unction"(sum, UInt8)')`],
  ['construct', "SELECT accurateCast('x', concat('Aggregate', 'Function(sum, UInt8)'))"],
  ['construct', "WITH 'AggregateFunction(sum, UInt8)' AS t SELECT CAST('x', t)"],
  ['construct', "WITH (x, t) -> CAST(x, t) AS f SELECT f('x', 'AggregateFunction(sum, UInt8)')"],
  ['construct', 'SELECT {t:AggregateFunction(sum, UInt8)}'],
  ['construct', "SELECT arrayReduce(concat('agg', 'Throw(1.0)'), [1])"],
  ['construct', "WITH 'aggThrow(1.0)' AS f SELECT arrayReduce(f, [1])"],
  ['construct', 'SELECT {t:Tuple(`}` UInt8, b `AggregateFunction`(sum, UInt8))}'],
  ['construct', 'WITH x -> toUUID(x) AS sqr SELECT any(sqr(data.basket)) FROM events'],
  [
    'construct',
    'WITH (a, b) -> arrayLevenshteinDistance(range(a), range(b)) AS plus SELECT plus(160000, 160000)',
  ],
  ['construct', "SELECT CAST(data.objs[].k, 'Array(Int64)') FROM events"],
  ['construct', 'SELECT arrayMap(toUUID, [data.basket]) FROM events'],
  ['construct', 'SELECT arrayMap(x -> toUUID(x), [data.basket]) FROM events'],
  ['construct', "SELECT arrayFilter(x -> x::UUID IS NULL, [data.basket, 'a']) FROM events"],
  ['construct', "SELECT arrayMap((x, y) -> CAST(y, 'Array(Int64)'), [1], [data.basket]) FROM events"],
  ['construct', 'SELECT arrayMap(x -> arrayMap(y -> toIPv4(y), x), [[e.data.basket]]) FROM events AS e'],
  ['construct', 'SELECT arrayMap(x -> toDate(tupleElement(x, 1)), [(data.basket, 1)]) FROM events'],
  ['construct', 'SELECT arrayFold((sum, x) -> sum + toInt64(x), [data.basket], toInt64(0)) FROM events'],
  ['construct', 'SELECT arrayMap(lambda(tuple(x), toUUID(x)), [data.basket]) FROM events'],
  ['settings', 'SELECT 1 SETTINGS readonly = 0'],
  ['settings', 'SELECT * FROM (SELECT 1 SETTINGS max_execution_time = 0)'],
  ['settings', 'SELECT * FROM level_up SETTINGS additional_table_filters = {}'],
  ['syntax', 'SELECT 1; SELECT 2'],
  ['syntax', 'SELECT 1; DROP TABLE x'],
  ['syntax', "SELECT 1 -- '\n; SELECT 2 -- '"],
  ['syntax', 'SELECT 1) UNION ALL SELECT * FROM system.tables --'],
  ['syntax', 'SELEC 1'],
  ['syntax', ''],
  ['syntax', '-- nothing'],
  ['syntax', "SELECT '"],
  ['syntax', 'SELECT 1 ﻿FROM'],
  ['construct', 'SELECT 1 FORMAT CSV'],
  ['sql', "SELECT 1 INTO OUTFILE '/tmp/tickrate-hostile'"],
  ['sql', "SELECT 1 INTO OUTFILE '/tmp/tickrate-hostile' TRUNCATE FORMAT CSV"],
  ['notSelect', `INSERT INTO ${database}.secret VALUES (1)`],
  ['notSelect', `INSERT INTO ${database}.secret SELECT 1`],
  ['notSelect', `DROP TABLE ${database}.secret`],
  ['notSelect', `ALTER TABLE ${database}.secret DELETE WHERE 1`],
  ['notSelect', `TRUNCATE TABLE ${database}.secret`],
  ['notSelect', 'CREATE TABLE x (a UInt8) ENGINE = Memory'],
  ['notSelect', "CREATE TABLE x (a UInt8) ENGINE = URL('http://127.0.0.1/', CSV)"],
  ['notSelect', 'CREATE USER x'],
  ['notSelect', 'GRANT ALL ON *.* TO x'],
  ['notSelect', 'SET readonly = 0'],
  ['notSelect', 'USE system'],
  ['notSelect', 'SHOW TABLES'],
  ['notSelect', 'SHOW DATABASES'],
  ['notSelect', 'DESCRIBE TABLE system.tables'],
  ['notSelect', 'EXISTS TABLE system.tables'],
  ['notSelect', 'EXPLAIN SELECT 1'],
  ['notSelect', 'KILL QUERY WHERE 1'],
  ['notSelect', 'SYSTEM SHUTDOWN'],
  ['notSelect', 'OPTIMIZE TABLE x'],
  ['notSelect', "BACKUP TABLE x TO File('x')"],
  ['notSelect', 'WATCH x'],
  ['name', 'SELECT * FROM {t:Identifier}'],
  ['name', 'SELECT {t:Identifier} FROM level_up'],
  ['name', 'SELECT 1 AS `a\nTABLE id: 0`'],
  ['name', 'SELECT 1 AS "a, identifier: b"'],
  ['name', 'SELECT 1 AS `a\\`b`'],
];

/** A lambda with the name of an allowed function: any case, aliases, aggregate functions and combinators. */
const namedLambda = fc
  .record({
    name: fc
      .constantFrom(
        ...'sqr plus upper lcase toInt64 sum sumIf anyOrNull uniqExactArray rank numbers _CAST if'.split(' '),
        ...Object.values(functionNames)
          .flatMap((names) => names.split(/\s+/))
          .filter((name) => /^[a-z]\w*$/.test(name) && name !== 'exists'),
      )
      .chain((name) => fc.constantFrom(name, name.toUpperCase(), `\`${name}\``, `"${name}"`)),
    body: fc.constantFrom('toUUID(x)', "CAST(x, 'Array(Int64)')", 'x', 'length(range(x))', "concat('', x)"),
    write: fc.constantFrom(
      (lambda: string) => lambda,
      (lambda: string) => `(${lambda})`,
      (lambda: string) => lambda.replace(/^x -> (.*)$/, 'lambda(tuple(x), $1)'),
      (lambda: string) => lambda.replace('x ->', '(x, y) ->'),
    ),
    place: fc.constantFrom(
      (lambda: string, name: string) => `WITH ${lambda} AS ${name} SELECT ${name}(data.basket) FROM events`,
      (lambda: string, name: string) => `WITH ${lambda} AS f, f AS ${name} SELECT ${name}(1)`,
      (lambda: string, name: string) =>
        `WITH 1 AS a, ${lambda} AS ${name} SELECT any(${name}(a)) FROM events`,
      (lambda: string, name: string) => `SELECT arrayMap(${lambda} AS ${name}, [1]), ${name}(2)`,
      (lambda: string, name: string) => `SELECT ${name}(1) WHERE arrayExists((${lambda}) AS ${name}, [1])`,
      (lambda: string, name: string) => `SELECT * FROM (WITH ${lambda} AS ${name} SELECT ${name}(1) AS a)`,
      (lambda: string, name: string) =>
        `WITH own AS (WITH ${lambda} AS ${name} SELECT ${name}(1) AS a) SELECT a FROM own`,
      (lambda: string, name: string) => `SELECT 1 UNION ALL (WITH ${lambda} AS ${name} SELECT ${name}(1))`,
      (lambda: string, name: string) => `WITH ${lambda} AS ${name} SELECT arrayMap(a -> ${name}(a), [1])`,
      (lambda: string, name: string) => `SELECT 1 ORDER BY ${name}(1), arraySum(${lambda} AS ${name}, [1])`,
    ),
  })
  .map(({ name, body, write, place }) => place(write(`x -> ${body}`), name));

// Invariant (Queries): No customer SQL reads another project's rows, calls anything that does more than
// compute, or changes anything
describe('hostile SQL', () => {
  test.each(table)('reads no table of another project or of the server: %s', async (sql) => {
    expect(await ask(sql)).toMatchObject({ kind: 'refused', reason: 'table' });
  });

  test.each(callOf)('calls only functions that compute: %s', async (sql) => {
    expect(await ask(sql)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/^(function|syntax|sql|notSelect|table)$/),
    });
  });

  test.each(otherwise)('is rejected with the reason %s: %s', async (reason, sql) => {
    expect(await ask(sql, { t: 'system.tables' })).toMatchObject({ kind: 'refused', reason });
  });

  test('names no lambda, which would then stand for the function of that name: 500 variants', async () => {
    const answers: string[] = [];
    for (const sql of fc.sample(namedLambda, { numRuns: 500, seed: 24 })) {
      const answer = await ask(sql);
      if (answer.kind !== 'refused' || answer.reason !== 'construct') {
        answers.push(`${sql}: ${JSON.stringify(answer)}`);
      }
    }
    expect(answers).toEqual([]);
  }, 60_000);

  test.each([
    ['deep', `SELECT ${'('.repeat(3_000)}1${')'.repeat(3_000)}`],
    ['deep in subqueries', `${'SELECT * FROM ('.repeat(400)}SELECT 1${')'.repeat(400)}`],
    ['long', `SELECT ${'1,'.repeat(60_000)}1`],
    ['a deeply nested call', `SELECT ${'toString('.repeat(900)}1${')'.repeat(900)}`],
  ])('that is %s is rejected or answered, and the server keeps running', async (_, sql) => {
    expect(['refused', 'rows']).toContain((await ask(sql)).kind);
    expect(await mine.warehouse.ping()).toMatchObject({ ok: true });
  });
});

test('all functions with a function argument are known', async () => {
  const sql = 'SELECT name FROM system.functions WHERE higher_order';
  const names = (await mine.warehouse.query<{ name: string }>(sql)).map(({ name }) => name);
  expect(names).toContain('arrayMap');
  expect(names.filter((name) => isAllowedFunction(name) && !takesFunction(name))).toEqual([]);
});

test('no further allowed function has a result that depends on more than its arguments', async () => {
  const sql = 'SELECT lower(name) AS name FROM system.functions WHERE deterministic = 0';
  const names = (await mine.warehouse.query<{ name: string }>(sql)).map(({ name }) => name);
  const varying = names
    .filter(isAllowedFunction)
    .filter((name) => !/^rand|^(?:fuzzbits|generateuuidv4)$/.test(name));
  // The time, and functions of one array or one row.
  expect([...new Set(varying)].toSorted()).toEqual([
    'arrayjoin',
    'arraypartialreversesort',
    'arraypartialsort',
    'arrayrandomsample',
    'curdate',
    'current_date',
    'current_timestamp',
    'financialnetpresentvalueextended',
    'localtime',
    'localtimestamp',
    'now',
    'now64',
    'timezone',
    'today',
    'unnest',
    'utc_timestamp',
    'utctimestamp',
    'yesterday',
  ]);
});

test('all functions with the name of an aggregate function as a text are known', async () => {
  const names = (await mine.warehouse.query<{ name: string }>('SELECT name FROM system.functions')).map(
    ({ name }) => name,
  );
  const takes = async (name: string) => {
    const sql = `SELECT ${name}('no aggregate function', [1], [1])`;
    const fault = await mine.warehouse.query(sql).catch((error: Error) => error.message);
    return /aggregate function no aggregate function/.test(String(fault));
  };
  const allowed = names.filter(isAllowedFunction);
  const answers = await Promise.all(allowed.map(takes));
  const taking = allowed.filter((_, n) => answers[n]);
  expect(taking).toContain('arrayReduce');
  expect(taking.filter((name) => !takesAggregateName(name))).toEqual([]);
}, 120_000);

test('a parameter stays a text', async () => {
  const hostile = "') FROM system.tables --";
  expect(await ask('SELECT {t:String} AS t', { t: hostile })).toEqual({
    kind: 'rows',
    text: `${JSON.stringify({ t: hostile })}\n`,
  });
});

test('a function shows no other rows of its block', async () => {
  const others = createTestType('level_up', 1, { hidden: { type: 'string' } });
  await other.store(others, { hidden: 'treasure' });
  await other.store(createTestType('hidden', 1, { hidden: { type: 'string' } }), { hidden: 'treasure' });
  // One part then contains rows of both projects.
  await runOn(url, `OPTIMIZE TABLE ${database}.events FINAL`);
  const sql =
    "SELECT name FROM system.functions WHERE match(name, '(?i)json|dynamic|lowCardinality|distinct|structure')";
  const names = (await mine.warehouse.query<{ name: string }>(sql)).map(({ name }) => name);
  const calls = names.flatMap((name) =>
    ['', 'State', 'OrNull'].flatMap((suffix) =>
      ['data', 'type'].map((column) => `${name}${suffix}(${column})`),
    ),
  );
  const leaks: string[] = [];
  for (const call of calls) {
    const result = await ask(`SELECT ${call} AS x FROM events`);
    if (result.kind === 'rows' && /hidden|treasure/.test(result.text)) leaks.push(call);
  }
  expect(leaks).toEqual([]);
}, 120_000);

test('a message contains no table of another project', async () => {
  const result = await ask('SELECT * FROM level_u');
  expect(result).toEqual({
    kind: 'refused',
    reason: 'table',
    message: 'unknown table in this project: level_u',
  });
});

test.each([
  [
    'SELECT level, avg(score) AS s FROM level_up GROUP BY level ORDER BY level',
    '{"level":"1","s":10}\n{"level":"2","s":40}\n',
  ],
  [`SELECT count() AS n FROM ${own}.level_up`, '{"n":"3"}\n'],
  [`SELECT level FROM ${own}.\`match.won\``, '{"level":"9"}\n'],
  [
    'SELECT type, count() AS n FROM events GROUP BY type ORDER BY type',
    '{"type":"level_up","n":"3"}\n{"type":"match.won","n":"1"}\n',
  ],
  ['SELECT sum(data.level.:Int64) AS s FROM events', '{"s":"14"}\n'],
  [
    'SELECT sum(data.level::Int64) AS s, sum(CAST(data.none AS Int64)) AS n FROM events',
    '{"s":"14","n":null}\n',
  ],
  [
    'SELECT sum((data.level)::Int64) AS s, sum((e.data.level)::Int64) AS n FROM events AS e',
    '{"s":"14","n":"14"}\n',
  ],
  ['SELECT sum(arraySum(x -> toInt64(x), [ifNull(data.level::Int64, 0)])) AS s FROM events', '{"s":"14"}\n'],
  [
    "SELECT max(data.level::Float64) AS s, 'CAST(data.level, \\'Int64\\')' AS t FROM events",
    `{"s":9,"t":"CAST(data.level, 'Int64')"}\n`,
  ],
  ['SELECT number AS n FROM numbers(2)', '{"n":"0"}\n{"n":"1"}\n'],
  ['WITH best AS (SELECT max(score) AS peak FROM level_up) SELECT peak FROM best;', '{"peak":50}\n'],
  [
    'SELECT count() AS n FROM level_up WHERE level IN (SELECT level FROM level_up WHERE score > 20)',
    '{"n":"2"}\n',
  ],
  [
    'SELECT a.level AS l, count() AS n FROM level_up AS a JOIN level_up AS b ON a.level = b.level GROUP BY a.level ORDER BY l',
    '{"l":"1","n":"1"}\n{"l":"2","n":"4"}\n',
  ],
  [
    'SELECT quantileIf(0.5)(score, level = 2) AS q, countIf(level > 1) AS c FROM level_up',
    '{"q":40,"c":"2"}\n',
  ],
  [
    'SELECT level, rank() OVER (ORDER BY score DESC) AS r FROM level_up ORDER BY r LIMIT 1',
    '{"level":"2","r":"1"}\n',
  ],
  [
    "SELECT CASE WHEN score > 20 THEN 'high' ELSE 'low' END AS c, CAST(score AS Int64) AS i, INTERVAL 1 DAY + toDate('2026-01-01') AS d FROM level_up ORDER BY score LIMIT 1",
    '{"c":"low","i":"10","d":"2026-01-02"}\n',
  ],
  [
    "SELECT arrayMap(upper, ['a']) AS u, arraySort(has, [[1]], [1]) AS h, arraySum(levels) AS l FROM (SELECT groupArray(level) AS levels FROM level_up)",
    '{"u":["A"],"h":[[1]],"l":"5"}\n',
  ],
  [
    "SELECT arraySum(x -> x * 2, [1, 2]) AS s, toString(1) || 'a' AS t, [1, 2][1] AS e",
    '{"s":"6","t":"1a","e":1}\n',
  ],
  [
    "SELECT arrayReduce('quantileExact(0.5)', [1, 2, 3]) AS q, arrayReduce('sumIf', [1, 2], [1, 0]) AS s, initializeAggregation('max', 7) AS m",
    '{"q":2,"s":"1","m":7}\n',
  ],
  ["SELECT c1, c2 FROM values((1, 'a'), (2, 'b'))", '{"c1":1,"c2":"a"}\n{"c1":2,"c2":"b"}\n'],
  ["SELECT c1 FROM values((toDate('2026-01-01'), 1))", '{"c1":"2026-01-01"}\n'],
  ['SELECT c1 FROM values(1, -2.5)', '{"c1":1}\n{"c1":-2.5}\n'],
  [
    "SELECT CAST('a', 'Enum8(\\'a\\' = 1)') AS e, '7'::Decimal(10, 2) AS d, CAST((1, 2) AS Tuple(`a b` UInt8, c UInt8)) AS t",
    '{"e":"a","d":7,"t":{"a b":1,"c":2}}\n',
  ],
  ['/* a comment */ SELECT 1 AS `äöü 🎮` -- and another', '{"äöü 🎮":1}\n'],
])('the usual SQL of analysts works: %s', async (sql, text) => {
  expect(await ask(sql)).toEqual({ kind: 'rows', text });
});

test('every accepted query returns only rows of the project', async () => {
  const source = fc.constantFrom(
    'level_up',
    'events',
    `${own}.level_up`,
    `${foreign}.level_up`,
    `${database}.events`,
    '(SELECT * FROM level_up)',
    '(SELECT * FROM events)',
    `(SELECT * FROM ${foreign}.events)`,
  );
  const join = fc.constantFrom('CROSS JOIN', ',', 'PASTE JOIN');
  const shape = fc.constantFrom(
    (from: string) => `SELECT * FROM ${from} LIMIT 20`,
    (from: string) => `SELECT toString(tuple(*)) AS t FROM ${from} LIMIT 20`,
    (from: string) => `WITH level_up AS (SELECT * FROM ${from}) SELECT * FROM level_up LIMIT 20`,
    (from: string) =>
      `SELECT 1 AS a UNION ALL SELECT (SELECT count() FROM ${from} WHERE toString(tuple(*)) LIKE '%666%')`,
    (from: string) => `SELECT (SELECT groupArray(toString(tuple(*))) FROM ${from}) AS g`,
  );
  const query = fc
    .tuple(shape, source, fc.option(fc.tuple(join, source)))
    .map(([write, first, second]) =>
      write(second === null ? first : `${first} AS x ${second[0]} ${second[1]} AS y`),
    );
  await fc.assert(
    fc.asyncProperty(query, async (sql) => {
      const result = await ask(sql);
      if (result.kind !== 'rows') expect(result.kind).toBe('refused');
      else expect(result.text.replaceAll(/[0-9a-f]{4,}/g, '')).not.toContain('666');
    }),
    { numRuns: 30 },
  );
});
