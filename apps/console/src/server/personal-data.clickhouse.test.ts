import { type BuiltInRole, isPermitted, type Operation, scopesOfRole } from '@tickrate/contract';
import { expect, test } from 'vitest';
import { createAdministrator } from '../testing/administrator-harness.ts';
import { startStoredWorld } from '../testing/console-harness.ts';
import { type PlantedProject, plantProject } from '../testing/planted-harness.ts';

const stored = await startStoredWorld({ outbox: true });
const { world } = stored;
/** For each test its own: roles delete and replace what they may. */
const plant = () => plantProject(stored, Date.now());

/** A stream does not end by itself: live.clickhouse.test.ts reads it. */
const operations = world.operations.filter(({ id }) => id !== 'streamLive');

/** Everything that a key is answered: by the first example of each operation, and by SQL. */
async function answersTo(
  planted: PlantedProject,
  key: string,
  chosen: readonly Operation[],
): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const operation of chosen) {
    const { status, body } = await world.send(planted.exampleOf(operation, key));
    expect(status, operation.id).not.toBe(500);
    if (status < 300) answers.set(operation.id, typeof body === 'string' ? body : JSON.stringify(body));
  }
  const sql = {
    method: 'POST',
    path: '/v1/query',
    key,
    body: { sql: 'SELECT *, toString(data) FROM events' },
  };
  const { status, body } = await world.send(sql);
  if (status < 300) answers.set('SQL', JSON.stringify(body));
  return answers;
}

function personalIn({ personal }: PlantedProject, answers: ReadonlyMap<string, string>): string[] {
  return personal.flatMap((text) =>
    [...answers].filter(([, answer]) => answer.includes(text)).map(([id]) => `${id}: ${text}`),
  );
}

// Invariant (Queries): Without `personal:read`, SQL and reading calls return no personal data, and no
// analysis filters, splits or counts by it
test.each<{ role: BuiltInRole; refused: string[] }>([
  { role: 'viewer', refused: [] },
  { role: 'analyst', refused: ['exportQuarantined'] },
])('no call of the role $role returns personal data', async ({ role, refused }) => {
  const planted = await plant();
  const { key } = await createAdministrator(world.accounts, { [planted.projectId]: role });
  const answers = await answersTo(planted, key, operations);
  expect(personalIn(planted, answers)).toEqual([]);
  const scopes = scopesOfRole(role) ?? [];
  const reads = operations.filter(({ method, scope = '' }) => method === 'GET' && isPermitted(scopes, scope));
  const unanswered = reads.filter(({ id }) => !answers.has(id));
  expect(unanswered.map(({ id }) => id)).toEqual(refused);
});

test('each planted text is returned to an owner', async () => {
  const planted = await plant();
  const reads = operations.filter(({ method }) => method === 'GET');
  const found = personalIn(planted, await answersTo(planted, planted.owner.key, reads));
  const missing = planted.personal.filter((text) => !found.some((each) => each.endsWith(text)));
  expect(missing).toEqual([]);
});
