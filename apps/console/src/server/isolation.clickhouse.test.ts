import { inRealm, insertAudit, putMail } from '@tickrate/accounts';
import type { Operation } from '@tickrate/contract';
import { createSecretBoxOf } from '@tickrate/platform';
import { beforeAll, expect, test } from 'vitest';
import { type Administrator, createAdministrator } from '../administrator-harness.ts';
import { type ManagedProject, secretsKey, startStoredWorld } from '../console-harness.ts';
import { createPlayer, type PlayerOfTest } from '../player-harness.ts';

const { world, clickhouse } = await startStoredWorld({ outbox: true });
let victim: ManagedProject & { readonly owner: Administrator };
let foreign: ManagedProject & { readonly owner: Administrator };
let player: PlayerOfTest;
/** The values of path parameters: all objects of the victim. */
let named: Readonly<Record<string, string>>;

beforeAll(async () => {
  victim = await withOwner();
  foreign = await withOwner();
  player = await createPlayer(world.accounts, { projectId: victim.projectId, nowMs: Date.now() });
  await leaveTraces(victim.projectId);
  const post = async (path: string, body: object) =>
    (await world.send({ method: 'POST', path, key: victim.key, body })).body;
  const declaration = { type: 'object', properties: { level: { type: 'integer' } } };
  await post('/v1/event-types/victims_type/versions', { declaration });
  await store(victim.projectId);
  const invitation = await post('/v1/invitations', { emailAddress: 'guest@victim.example', role: 'viewer' });
  const saved = await post('/v1/saved-queries', { name: 'victims query', content: { sql: 'SELECT 1' } });
  named = {
    projectId: victim.projectId,
    keyId: victim.keyId,
    accountId: victim.owner.accountId,
    sessionId: player.session.id,
    invitationId: invitation.id,
    id: saved.id,
    version: '1',
  };
});

async function withOwner() {
  const project = await world.project();
  return { ...project, owner: await createAdministrator(world.accounts, { [project.projectId]: 'owner' }) };
}

/** The rows that sign-in stores for a player besides the account. */
async function leaveTraces(projectId: string): Promise<void> {
  const people = inRealm(world.accounts, projectId);
  const id = crypto.randomUUID();
  const body = createSecretBoxOf(secretsKey).seal('victims code', 'outbox');
  await putMail(people, { id, to: player.emailAddress, subject: 'Reset', body, sentMs: Date.now() });
  await insertAudit(people, {
    id,
    atMs: Date.now(),
    projectId,
    act: 'signIn',
    accountId: player.accountId,
    sessionId: null,
    requestId: 'victims request',
    clientAddress: '203.0.113.7',
    details: {},
  });
}

async function store(project: string): Promise<void> {
  const ids = { event_id: crypto.randomUUID(), chunk_id: crypto.randomUUID() };
  const times = { received: '2026-11-20 12:00:00.000', occurred: '2020-01-02 12:00:00.000' };
  const sent = {
    project,
    type: 'victims_type',
    version: 1,
    account_id: player.accountId,
    key_kind: 'public',
  };
  const row = JSON.stringify({ ...sent, ...ids, ...times, data: { level: 3, character: 'victims ranger' } });
  await clickhouse.run(`INSERT INTO events FORMAT JSONEachRow ${row}`);
}

async function eventsOfVictim(): Promise<unknown> {
  const body = { sql: 'SELECT account_id FROM events' };
  return (await world.send({ method: 'POST', path: '/v1/query', key: victim.key, body })).body.data;
}

/** The first example of the call, with the ids of the victim. */
function callOf({ method, path, examples: [example] }: Operation, key: string | undefined) {
  const names: Readonly<Record<string, string>> = {
    ...named,
    ...(path.startsWith('/v1/event-types') && { name: 'victims_type' }),
    ...(path.startsWith('/v1/players') && { accountId: player.accountId }),
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(names[name] ?? String(example?.params?.[name])),
  );
  const query = new URLSearchParams(
    Object.entries(example?.query ?? {}).map(([name, value]) => [name, `${value}`]),
  );
  query.delete('cursor');
  return {
    method,
    path: `${filled}?${query}`,
    key,
    ...(example?.body !== undefined && { body: example.body }),
  };
}

/** All rows of the project in all tables, without its own actions. */
async function rowsOfVictim(): Promise<unknown[]> {
  const tables = await world.accounts.query<{ name: string }>(
    `SELECT DISTINCT table_schema || '.' || table_name AS name FROM information_schema.columns
     WHERE table_schema IN ('registry', 'auth') AND column_name = 'project_id' ORDER BY 1`,
  );
  const rows = tables.map(({ name }) =>
    world.accounts.query(
      `SELECT to_jsonb(t) - 'last_used' AS row FROM ${name} t WHERE project_id = $1 ORDER BY 1`,
      [victim.projectId],
    ),
  );
  const project = world.accounts.query('SELECT * FROM registry.projects WHERE id = $1', [victim.projectId]);
  const ofPlayer = ['accounts WHERE id', 'identities WHERE account_id', 'totps WHERE account_id'].map(
    (where) => world.accounts.query(`SELECT * FROM auth.${where} = $1`, [player.accountId]),
  );
  return Promise.all([...rows, project, ...ofPlayer]);
}

test("every call is rejected without a key, with a public key and with a player's session", async () => {
  const { text } = await world.registry.createKey({
    projectId: victim.projectId,
    kind: 'public',
    comment: '',
    createdBy: 'test',
  });
  // A shared dashboard is read by its link alone.
  for (const operation of world.operations.filter(({ keys }) => keys.length > 0)) {
    expect((await world.send(callOf(operation, undefined))).body.code, operation.id).toBe(2001);
    for (const key of [text, player.session.key]) {
      expect((await world.send(callOf(operation, key))).body.code, operation.id).toBe(2003);
    }
  }
});

test("with another project's key or owner's session, no call reads or changes this project", async () => {
  const before = await rowsOfVictim();
  // The victim never sent these: its audit trail contains the ids that were tried.
  const own = [
    ...[victim.owner.emailAddress, victim.key.slice(0, 12), 'guest@victim.example'],
    ...['victims query', 'victims ranger', player.emailAddress, player.subject],
    ...['victims code', 'victims request'],
  ];
  for (const operation of world.operations) {
    for (const key of [foreign.key, foreign.owner.key]) {
      const { status, body } = await world.send(callOf(operation, key));
      // An error can only contain what the caller sent.
      const { data: _, ...told } = typeof body === 'object' && 'code' in body ? body : { body };
      const text = JSON.stringify(told);
      expect(
        own.filter((each) => text.includes(each)),
        `${operation.id} ${text}`,
      ).toEqual([]);
      if (/\{(?:projectId|keyId|accountId|invitationId|id)\}/.test(operation.path)) {
        expect(status, `${operation.id} ${text}`).toBeGreaterThanOrEqual(400);
        // A refusal for a missing right is the same for every id.
        if (status === 403) expect([2003, 2006], `${operation.id} ${text}`).toContain(body.code);
      }
      expect(status === 500, `${operation.id} ${text}`).toBe(false);
    }
  }
  expect(await rowsOfVictim()).toEqual(before);
  for (const path of ['/v1/players', '/v1/audit', '/v1/outbox']) {
    const text = JSON.stringify((await world.send({ path, key: victim.key })).body);
    expect(
      own.some((each) => text.includes(each)),
      path,
    ).toBe(true);
  }
  expect(await eventsOfVictim()).toEqual([{ account_id: player.accountId }]);
});
