import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAsEngineUser } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEventsTable } from '../../table/events-table.ts';
import { createTestType } from '../../test-rows.ts';
import { createMaskedView, createTypedView, maskedDatabase } from '../../views/typed-view.ts';
import { queryLimits } from '../query-limits.ts';
import { createEventsView } from './events-view.ts';
import {
  createDefiner,
  createProbe,
  createProjectAccess,
  createQueryProfile,
  createSharedAccess,
  definerGrants,
  definerName,
  probeUser,
  profileSettings,
  projectFilter,
  projectGrants,
  projectUser,
} from './project-access.ts';

const place = { database: 'tickrate', cluster: null };
const everywhere = { database: 'tickrate', cluster: 'main' };
const mine = 'p-mine';
const others = 'p-others';
const levelUp = createTestType('level_up', 1, { level: { type: 'integer' } });
const secret = 'a secret of the installation, long enough';

const folder = await mkdtemp(join(tmpdir(), 'tickrate-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const whole = { projectId: mine, sight: 'whole' } as const;

function statementsOf(at: typeof place | typeof everywhere): string[] {
  return [
    ...createSharedAccess(at),
    ...createQueryProfile(at, queryLimits),
    ...createDefiner(at, mine),
    ...createProjectAccess(at, whole, projectUser(at, whole, secret)),
  ];
}

const definers = Object.fromEntries(
  [mine, others].map((projectId) => [
    definerName(place, projectId),
    {
      grants: definerGrants(place),
      filters: [{ table: 'tickrate.events', filter: projectFilter(projectId) }],
    },
  ]),
);
const viewOf = (projectId: string) => ({
  projectId,
  typeName: 'level_up',
  description: null,
  versions: [levelUp],
});

const tables = [mine, others].flatMap((projectId) => [
  ...createEventsView(place, projectId, definerName(place, projectId)),
  ...createTypedView(place, viewOf(projectId), definerName(place, projectId)),
  `CREATE DATABASE ${maskedDatabase(projectId)}`,
  createMaskedView(place, viewOf(projectId), definerName(place, projectId)),
  `INSERT INTO tickrate.events (project, type, event_id, received, occurred, version, data)
SELECT '${projectId}', 'level_up', generateUUIDv7(), now64(3), now64(3), 1, '{"level": ${projectId.length}}'::JSON`,
]);

const accessStatements = [
  ...statementsOf(place),
  ...statementsOf(everywhere),
  ...createProbe(everywhere, probeUser(everywhere, secret)),
];

const asked = {
  typedView: 'SELECT level FROM project_p_mine.level_up',
  allEvents: 'SELECT type FROM project_p_mine.events',
  computed: "SELECT sum(number) FROM numbers(3) WHERE 'a' = 'a'",
  series: 'SELECT count() FROM generate_series(1, 3)',
  values: "SELECT x FROM values('x Int64', 7)",
  projects: 'SELECT project FROM project_p_mine._events',
  joined: 'SELECT count() FROM project_p_mine._events AS a CROSS JOIN project_p_mine._events AS b',
  othersInSubquery: "SELECT count() FROM (SELECT * FROM project_p_mine._events WHERE project = 'p-others')",
  othersUnderAnyCondition: "SELECT count() FROM project_p_mine._events WHERE project = 'p-others' OR 1",
  othersEvaluated: "SELECT count() FROM project_p_mine._events WHERE throwIf(project != 'p-mine') = 0",
  othersDivided: 'SELECT count() FROM project_p_mine.events WHERE intDiv(1, data.level.:Int64 - 8) != 9',
  othersJoined:
    "SELECT count() FROM project_p_mine._events AS a JOIN project_p_mine.level_up AS b ON a.event_id = b.event_id AND throwIf(a.project != 'p-mine') = 0",
  settingSeen: "SELECT getSetting('max_execution_time'), getSetting('readonly')",
};
const refused = {
  tableItself: 'SELECT project FROM tickrate.events',
  tableCounted: 'SELECT count() FROM tickrate.events',
  indexOfTheTable: "SELECT * FROM mergeTreeIndex('tickrate', 'events')",
  masked: 'SELECT * FROM masked_p_mine.level_up',
  othersView: 'SELECT * FROM project_p_others.level_up',
  othersUnion:
    'SELECT level FROM project_p_mine.level_up UNION ALL SELECT level FROM project_p_others.level_up',
  viaMerge: "SELECT * FROM merge('project_p_others', 'level_up')", // finds no table that it can read
  viaLoop: 'SELECT * FROM loop(project_p_others.level_up)',
  users: 'SELECT name FROM system.users',
  policies: 'SELECT * FROM system.row_policies',
  file: "SELECT * FROM file('/etc/passwd', LineAsString)",
  url: "SELECT * FROM url('http://127.0.0.1:9/', LineAsString, 'x String')",
  s3: "SELECT * FROM s3('http://127.0.0.1:9/bucket/key', NOSIGN, 'CSV', 'x String')",
  remote: "SELECT * FROM remote('127.0.0.1:9', tickrate.events)",
  executable: "SELECT * FROM executable('x.sh', CSV, 'x String')",
  dictionary: "SELECT dictGet('tickrate.levels', 'x', 1)",
  written: "INSERT INTO tickrate.events (project) VALUES ('p-mine')",
  dropped: 'DROP TABLE tickrate.events',
  created: 'CREATE TABLE project_p_mine.t (x Int64) ENGINE = Memory',
  viewAsAnother: 'CREATE VIEW project_p_mine.v DEFINER = default SQL SECURITY DEFINER AS SELECT 1',
  granted: 'GRANT SELECT ON *.* TO default',
  longer: 'SELECT 1 SETTINGS max_execution_time = 3600',
  writable: 'SET readonly = 0',
  unfiltered: "SELECT 1 SETTINGS additional_table_filters = {'tickrate.events': '0'}",
  stopped: 'SYSTEM SHUTDOWN',
};

const asProject = {
  grants: projectGrants(place, mine, 'whole'),
  settings: profileSettings(queryLimits),
};

let made: unknown[];
let answers: Record<string, unknown>;
let refusals: Record<string, unknown>;

beforeAll(async () => {
  const setUp = [
    'CREATE DATABASE tickrate',
    ...createEventsTable(place),
    ...tables,
    'CREATE DICTIONARY tickrate.levels (id UInt64, x String) PRIMARY KEY id SOURCE(NULL()) LAYOUT(FLAT()) LIFETIME(0)',
  ];
  const access = accessStatements;
  const outcomes = await runAsEngineUser({
    folder,
    user: {},
    definers,
    statements: [...setUp, ...access.map((sql) => `SELECT formatQuery($sql$${sql}$sql$) != ''`)],
  });
  made = outcomes.map(shown);
  const results = (
    await runAsEngineUser({
      folder,
      user: asProject,
      definers,
      statements: [...Object.values(asked), ...Object.values(refused)],
    })
  ).map(shown);
  const names = [...Object.keys(asked), ...Object.keys(refused)];
  const all = names.map((name, at) => [name, results[at]] as const);
  answers = Object.fromEntries(all.slice(0, Object.keys(asked).length));
  refusals = Object.fromEntries(all.slice(Object.keys(asked).length));
});

function shown(outcome: Awaited<ReturnType<typeof runAsEngineUser>>[number]): string | number {
  return 'text' in outcome ? outcome.text : outcome.code;
}

// Invariant (Queries): The rights of ClickHouse users and embedded roles limit a project to its own rows,
// even for unchecked SQL
test('with its grants, its row policy and its profile a project reads its own events', () => {
  expect(answers).toEqual({
    typedView: '6',
    allEvents: 'level_up',
    computed: '3',
    series: '3',
    values: '7',
    projects: mine,
    joined: '1',
    othersInSubquery: '0',
    othersUnderAnyCondition: '1',
    othersEvaluated: '1',
    othersDivided: '1',
    othersJoined: '1',
    settingSeen: '30\t1',
  });
});

test('the server itself rejects everything else, without a check of the SQL before', () => {
  const denied = 497;
  const fixed = 164;
  const nothing = 636;
  const but: Record<string, number> = {
    longer: fixed,
    writable: fixed,
    unfiltered: fixed,
    viaMerge: nothing,
  };
  const expected = Object.keys(refused).map((name) => [name, but[name] ?? denied]);
  expect(refusals).toEqual(Object.fromEntries(expected));
});

test('the statements for users are valid on one server and on a cluster', () => {
  expect(made.filter((answer) => answer !== '')).toEqual(accessStatements.map(() => '1'));
});

test('a user reads only after its policy exists, and the policy for other users is created first', () => {
  const statements = statementsOf(place);
  const at = (part: string) => statements.findIndex((statement) => statement.includes(part));
  expect(at('`tickrate_rest`')).toBeGreaterThan(-1);
  expect(at('`tickrate_rest`')).toBeLessThan(at('CREATE USER'));
  expect(at('CREATE ROW POLICY IF NOT EXISTS `tickrate_project_p_mine`')).toBeLessThan(
    at('GRANT SELECT ON `project_p_mine`'),
  );
  expect(at('GRANT SELECT ON `project_p_mine`')).toBe(statements.length - 1);
  expect(at('CREATE ROW POLICY IF NOT EXISTS `tickrate_rows_')).toBeLessThan(
    at('GRANT SELECT ON `tickrate`'),
  );
});

test('a password differs by project and by installation, and no statement contains it', () => {
  const passwords = [
    projectUser(place, whole, secret),
    projectUser(place, { ...whole, projectId: others }, secret),
    projectUser(place, { ...whole, sight: 'masked' }, secret),
    projectUser(place, whole, `${secret}!`),
    projectUser({ ...place, database: 'other' }, whole, secret),
  ].map(({ password }) => password);
  expect(new Set(passwords).size).toBe(5);
  expect(projectUser(place, whole, secret).password).toBe(passwords[0]);
  expect(statementsOf(place).join()).not.toContain(passwords[0]);
});

test('the engine rejects a user only because it has no storage for users', async () => {
  const { username } = projectUser(place, whole, secret);
  const shared = 'tickrate_queries';
  const outcomes = await runAsEngineUser({
    folder,
    user: {},
    definers: { [definerName(place, mine)]: {} },
    known: { user: username, role: shared, profile: shared },
    statements: statementsOf(place),
  });
  // In the configuration, without storage, or absent because it was not stored: a quota, a policy.
  const only = new Set([495, 514, 199, 523]);
  const refusedOtherwise = outcomes.filter((outcome) => 'text' in outcome || !only.has(outcome.code));
  expect(refusedOtherwise).toEqual([]);
  expect(outcomes).toHaveLength(statementsOf(place).length);
});

test('the policy for other users does not affect the workers', async () => {
  const count = 'SELECT count(), sum(data.level.:Int64) FROM tickrate.events';
  const outcomes = await runAsEngineUser({
    folder,
    user: { filters: [{ table: 'tickrate.events', filter: '1' }] },
    statements: [
      count,
      "ALTER TABLE tickrate.events DELETE WHERE project = 'p-mine' SETTINGS mutations_sync = 2",
      count,
      'INSERT INTO tickrate.events SELECT * FROM tickrate.events',
      'OPTIMIZE TABLE tickrate.events FINAL',
      count,
      'ALTER TABLE tickrate.events DROP PARTITION tuple(toYYYYMM(now()))',
      count,
    ],
  });
  expect(outcomes.map(shown)).toEqual(['2\t14', '', '1\t8', '', '', '1\t8', '', '0\t\\N']);
});
