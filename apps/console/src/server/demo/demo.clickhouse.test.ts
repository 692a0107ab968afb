import { waitUntil } from '@tickrate/testkit';
import { beforeAll, expect, test } from 'vitest';
import { createAdministrator } from '../../testing/administrator-harness.ts';
import { type ManagedProject, startStoredWorld } from '../../testing/console-harness.ts';
import { columnsOf } from '../event-types/event-type-routes.ts';

// No game reaches these addresses: the demo keeps trying.
const nowhere = { gatewayUrl: 'http://127.0.0.1:9', authUrl: 'http://127.0.0.1:9' };
const { world, warehouse } = await startStoredWorld({ demo: 'offered', ...nowhere });
let first: ManagedProject;
let owner: string;

beforeAll(async () => {
  first = await world.project();
  const { key, accountId } = await createAdministrator(world.accounts, { [first.projectId]: 'owner' });
  await world.accounts.query('UPDATE auth.accounts SET owns_installation = true WHERE id = $1', [accountId]);
  owner = key;
});

const demo = (method: string, key: string) => world.send({ method, path: '/v1/demo', key });

// Invariant (Queries): The demo plays in a project of its own; removing it leaves no row of it in
// PostgreSQL and ClickHouse
test('only the owner of the installation starts and removes the demo', async () => {
  const { key } = await createAdministrator(world.accounts, { [first.projectId]: 'owner' });
  for (const caller of [key, first.key]) {
    expect((await demo('POST', caller)).body.code).toBe(2005);
    expect((await demo('DELETE', caller)).body.code).toBe(2005);
  }
  expect((await demo('GET', first.key)).body).toMatchObject({
    state: 'absent',
    isAllowed: false,
    tour: [],
  });
  expect((await demo('GET', owner)).body.isAllowed).toBe(true);
});

test('the demo has a project of its own, which disappears with everything in it', async () => {
  expect((await demo('POST', owner)).body).toMatchObject({ state: 'arriving', expectedEvents: 108_000 });
  await waitUntil(
    async () =>
      (await demo('GET', owner)).body.tour.every((stop: { path: string }) => !/\/(\?|$)/.test(stop.path)),
    {
      what: 'the dashboards of the tour',
    },
  );
  const { projectId, tour } = (await demo('POST', owner)).body;
  expect(tour).toHaveLength(5);
  expect(projectId).not.toBe(first.projectId);
  // Nothing of the demo's project shows in another one, except to the owner of the installation.
  expect((await demo('GET', first.key)).body).toMatchObject({ projectId: null, tour: [] });
  const { text: key } = await world.registry.createKey({
    projectId,
    kind: 'administrative',
    comment: 'test',
    createdBy: 'test',
    scopes: ['all:write', 'personal:read'],
  });
  expect((await demo('GET', key)).body).toMatchObject({ projectId, tour });
  await makeViews(projectId);
  // The answers are checked against the document.
  const dashboards = await world.send({ path: '/v1/dashboards', key });
  expect(dashboards.body.results).toHaveLength(4);
  const queries = await world.send({ path: '/v1/saved-queries', key });
  expect(queries.body.results).toHaveLength(6);
  for (const { content } of queries.body.results) {
    const { status, body } = await world.send({
      method: 'POST',
      path: '/v1/query',
      key,
      body: { sql: content.sql },
    });
    expect([status, body.data]).toEqual([200, []]);
  }
  for (const { analysis } of dashboards.body.results.flatMap(
    ({ content }: { content: { tiles: object[] } }) => content.tiles,
  )) {
    if (analysis === undefined) continue;
    const range = { from: '2026-10-23T00:00:00Z', to: '2026-11-22T00:00:00Z' };
    const path = `/v1/analyses/${analysis.name}`;
    expect(
      (await world.send({ method: 'POST', path, key, body: { ...range, ...analysis.parameters } })).status,
    ).toBe(200);
  }
  await moveOwnerTo(projectId);
  expect((await demo('DELETE', owner)).body).toMatchObject({ state: 'absent', projectId: null });
  expect(await rowsOf(projectId)).toEqual([]);
  // The session of the owner continues in the first project.
  expect((await world.send({ path: `/v1/projects/${first.projectId}`, key: owner })).status).toBe(200);
  expect((await world.send({ path: '/v1/dashboards', key })).status).toBe(401);
});

async function makeViews(projectId: string): Promise<void> {
  for (const { name: typeName, description, versions } of await world.registry.eventTypes(projectId)) {
    const shown = await Promise.all(
      versions.map(async (each) => ({ version: each.version, columns: await columnsOf([each]) })),
    );
    await warehouse.applyTypedView({ projectId, typeName, description, versions: shown });
  }
}

async function moveOwnerTo(projectId: string): Promise<void> {
  const sql = (table: string) =>
    `UPDATE ${table} SET project_id = $1 WHERE account_id IN (SELECT id FROM auth.accounts WHERE owns_installation)`;
  for (const table of ['auth.sessions', 'registry.session_keys']) {
    await world.accounts.query(sql(table), [projectId]);
  }
}

/** The tables in which the project, or a player of it, still has rows. */
async function rowsOf(projectId: string): Promise<string[]> {
  const columns = await world.accounts.query<{ name: string; column: string }>(
    `SELECT table_schema || '.' || table_name AS name, column_name AS column FROM information_schema.columns
     WHERE table_schema IN ('auth', 'registry') AND column_name IN ('project_id', 'realm')`,
  );
  const found: string[] = [];
  for (const { name, column } of columns) {
    const rows = await world.accounts.query(`SELECT FROM ${name} WHERE ${column} = $1 LIMIT 1`, [projectId]);
    if (rows.length > 0) found.push(`${name}.${column}`);
  }
  return found;
}
