import { checkLimits } from '@tickrate/pipeline';
import { describe, expect, test } from 'vitest';
import { type ManagedProject, startConsoleWorld } from '../../testing/console-harness.ts';
import { type Rejecting, rejectEvents } from '../../testing/rejection-harness.ts';

const { world, postgresUrl } = await startConsoleWorld();
const reject = (project: ManagedProject, texts: readonly string[], some: Partial<Rejecting> = {}) =>
  rejectEvents(project, texts, { postgresUrl, type: 'kill', nowMs: Date.now(), ...some });

const checking = { method: 'POST', path: '/v1/event-types/kill/check' };

const declaration = (maximum: number) => ({
  declaration: {
    type: 'object',
    required: ['level'],
    properties: { level: { type: 'integer', minimum: 1, maximum } },
  },
});

async function declare({ key }: ManagedProject, maximum: number) {
  const path = '/v1/event-types/kill/versions';
  return world.send({ method: 'POST', path, key, body: declaration(maximum) });
}

const replay = async ({ key }: ManagedProject, filter: object = {}) =>
  (await world.send({ method: 'POST', path: '/v1/quarantine/replay', key, body: { filter } })).body;

// Invariant (Events and quarantine): A check of a draft passes exactly the events that a replay stores
// once it is declared, and writes nothing
describe('quarantine', () => {
  test('is replayed after a change of the declaration, each event once', async () => {
    const project = await world.project();
    await declare(project, 9);
    await reject(project, ['{"level":12}', '{"level":0}']);
    expect(await replay(project)).toMatchObject({ replayed: 0, refused: 2 });
    await declare(project, 20);
    expect(await replay(project)).toMatchObject({ replayed: 1, refused: 1 });
    expect(await replay(project)).toMatchObject({ replayed: 0, refused: 1 });
    const open = await world.send({ path: '/v1/quarantine?state=open', key: project.key });
    expect(open.body.results).toHaveLength(1);
  });

  test('is checked against a declaration that is not declared, exactly as a replay would after it', async () => {
    const project = await world.project();
    const { key } = project;
    await declare(project, 9);
    await reject(project, ['{"level":12}', '{"level":15}', '{"level":0}']);
    const named = await reject(project, ['{"level":13}'], { versionNamed: true });
    const check = async (maximum: number, quarantined: object = {}) =>
      (await world.send({ ...checking, key, body: { ...declaration(maximum), quarantined } })).body;
    const { version, quarantined } = await check(20, { reason: 'range' });
    expect(version).toBe(2);
    expect(quarantined).toMatchObject({ checked: 4, passed: 2, complete: true });
    expect(quarantined.versions).toEqual(
      expect.arrayContaining([
        { version: 1, events: 1 },
        { version: 2, events: 3 },
      ]),
    );
    expect(quarantined.refusals).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ reason: 'range', pointer: '/level' }),
        expect.objectContaining({ id: named[0], message: 'must be between 1 and 9' }),
      ]),
    );
    expect((await check(20, { reason: 'typeMismatch' })).quarantined.checked).toBe(0);
    expect((await check(20, { ids: named })).quarantined).toMatchObject({ checked: 1, passed: 0 });
    expect((await world.send({ path: '/v1/event-types/kill', key })).body.versions).toHaveLength(1);
    await declare(project, 20);
    expect(await replay(project)).toMatchObject({ replayed: 2, refused: 2 });
  });

  test('is checked within limits, and yields to other calls', async () => {
    const project = await world.project();
    const { key } = project;
    await declare(project, 9);
    const large = '0'.repeat(60_000);
    await reject(
      project,
      Array.from({ length: checkLimits.events + 1 }, () => '{"level":12}'),
    );
    const ask = { ...checking, key, body: { ...declaration(20), quarantined: {} } };
    const many = (await world.send(ask)).body.quarantined;
    expect(many).toMatchObject({ complete: false });
    expect(many.checked).toBeLessThanOrEqual(checkLimits.events);
    await reject(
      project,
      Array.from({ length: 80 }, () => `{"level":12,"note":"${large}"}`),
    );
    const wide = (await world.send(ask)).body.quarantined;
    expect(wide.complete).toBe(false);
    expect(wide.checked * large.length).toBeLessThanOrEqual(checkLimits.bytes + 300 * 100);
  });

  test('checks texts against a declaration that is not declared', async () => {
    const { key } = await world.project();
    const texts = ['{"level": 12}', '{"level": 31}', 'no JSON', '{"level": 12} and more'];
    const send = (body: object) => world.send({ ...checking, key, body });
    const { body } = await send({ ...declaration(20), texts });
    expect(body).toMatchObject({ version: 1, quarantined: null });
    expect(body.texts.map(({ valid }: { valid: boolean }) => valid)).toEqual([true, false, false, false]);
    expect(body.texts[1].errors).toMatchObject([{ location: '/level', reason: 'range' }]);
    const faulty = await send({
      declaration: { type: 'object', properties: { level: { type: 'x' } } },
      texts,
    });
    expect(faulty.body).toMatchObject({ code: 1003, data: { parameterName: 'declaration' } });
  });

  test('is checked only with permission to see the quarantine and personal data', async () => {
    const { projectId } = await world.project();
    const weak = async (...scopes: string[]) => {
      const request = { projectId, kind: 'administrative', comment: '', createdBy: 'test', scopes } as const;
      const { text: key } = await world.registry.createKey(request);
      const { body } = await world.send({ ...checking, key, body: { ...declaration(20), quarantined: {} } });
      return body.data?.parameterName;
    };
    expect(await weak('quarantine:read', 'personal:read')).toBe('eventTypes:read');
    expect(await weak('eventTypes:write', 'personal:read')).toBe('quarantine:read');
    expect(await weak('eventTypes:write', 'quarantine:read')).toBe('personal:read');
    expect(await weak('eventTypes:read', 'quarantine:read', 'personal:read')).toBeUndefined();
  });

  test('is exported completely, and deleted by filter', async () => {
    const project = await world.project();
    const { key } = project;
    const [first = ''] = await reject(project, ['{"level":30}', '{"level":31}']);
    const { body } = await world.send({ path: '/v1/quarantine/export', key });
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line));
    expect(lines.flatMap(({ texts = [] }: { texts?: string[] }) => texts).toSorted()).toEqual([
      '{"level":30}',
      '{"level":31}',
    ]);
    expect(lines.at(-1)).toEqual({ complete: true });
    const purge = { method: 'POST', path: '/v1/quarantine/purge', key };
    const purged = await world.send({ ...purge, body: { filter: { ids: [first] } } });
    expect(purged.body).toEqual({ rejected: 1, deadLetters: 0, deadEvents: 0 });
    expect((await world.send({ path: `/v1/quarantine/${first}`, key })).body.code).toBe(3001);
    expect((await world.send({ path: '/v1/quarantine', key })).body.results).toHaveLength(1);
  });

  test('shows events and their senders only with permission to see personal data', async () => {
    const project = await world.project();
    const [id = ''] = await reject(project, ['{"level":0}']);
    const { text: weak } = await world.registry.createKey({
      projectId: project.projectId,
      kind: 'administrative',
      comment: '',
      createdBy: 'test',
      scopes: ['quarantine:read'],
    });
    const path = `/v1/quarantine/${id}`;
    expect((await world.send({ path, key: weak })).body).toMatchObject({ texts: null, accountId: null });
    expect((await world.send({ path, key: project.key })).body).toMatchObject({
      texts: ['{"level":0}'],
      accountId: 'u-bo',
    });
    const beginningFor = async (key: string) =>
      (await world.send({ path: '/v1/quarantine', key })).body.results[0].beginning;
    expect(await beginningFor(weak)).toBeNull();
    expect(await beginningFor(project.key)).toBe('{"level":0}');
    const [ofSession = ''] = await reject(project, ['{"level":0}'], { sessionId: 'us-bo' });
    for (const where of [`/v1/quarantine/${ofSession}`, '/v1/quarantine']) {
      expect(JSON.stringify((await world.send({ path: where, key: weak })).body)).not.toContain('us-bo');
    }
    const { body: whole } = await world.send({ path: `/v1/quarantine/${ofSession}`, key: project.key });
    expect(whole).toMatchObject({ keyId: 'us-bo', sessionId: 'us-bo' });
    expect((await world.send({ path, key: weak })).body.keyId).toBe(project.keyId);
    const { body } = await world.send({ path: '/v1/quarantine/export', key: weak });
    expect(body.data.parameterName).toBe('personal:read');
    const other = await world.project();
    expect((await world.send({ path, key: other.key })).body.code).toBe(3001);
  });
});
