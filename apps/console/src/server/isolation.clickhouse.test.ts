import { beforeAll, expect, test } from 'vitest';
import type { Administrator } from '../testing/administrator-harness.ts';
import { type ManagedProject, startStoredWorld } from '../testing/console-harness.ts';
import { type PlantedProject, plantProject, projectWithOwner } from '../testing/planted-harness.ts';

const stored = await startStoredWorld({ outbox: true });
const { world } = stored;
let victim: PlantedProject;
let foreign: ManagedProject & { readonly owner: Administrator };

beforeAll(async () => {
  victim = await plantProject(stored, Date.now());
  foreign = await projectWithOwner(world);
});

async function eventsOfVictim(): Promise<unknown> {
  const body = { sql: 'SELECT account_id FROM events' };
  return (await world.send({ method: 'POST', path: '/v1/query', key: victim.key, body })).body.data;
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
    (where) => world.accounts.query(`SELECT * FROM auth.${where} = $1`, [victim.player.accountId]),
  );
  return Promise.all([...rows, project, ...ofPlayer]);
}

// Invariant (Management): At every management call, another project's key or session reads and changes
// nothing
test("every call is rejected without a key, with a public key and with a player's session", async () => {
  const { text } = await world.registry.createKey({
    projectId: victim.projectId,
    kind: 'public',
    comment: '',
    createdBy: 'test',
  });
  // A shared dashboard is read by its link alone.
  for (const operation of world.operations.filter(({ keys }) => keys.length > 0)) {
    expect((await world.send(victim.exampleOf(operation, undefined))).body.code, operation.id).toBe(2001);
    for (const key of [text, victim.player.session.key]) {
      expect((await world.send(victim.exampleOf(operation, key))).body.code, operation.id).toBe(2003);
    }
  }
});

test("with another project's key or owner's session, no call reads or changes this project", async () => {
  const before = await rowsOfVictim();
  // The victim never sent these: its audit trail contains the ids that were tried.
  const own = [
    victim.owner.emailAddress,
    victim.key.slice(0, 12),
    'guest@victim.example',
    'victims query',
    'victims ranger',
    victim.player.emailAddress,
    victim.player.subject,
    'victims code',
    'victims request',
  ];
  for (const operation of world.operations) {
    for (const key of [foreign.key, foreign.owner.key]) {
      const { status, body } = await world.send(victim.exampleOf(operation, key));
      // An error can only contain what the caller sent.
      const { data: _, ...checked } = typeof body === 'object' && 'code' in body ? body : { body };
      const text = JSON.stringify(checked);
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
  expect(await eventsOfVictim()).toEqual([{ account_id: victim.player.accountId }]);
});
