import { inRealm, putMail } from '@tickrate/accounts';
import { createErasures, createFleet, createQuarantine } from '@tickrate/pipeline';
import { createSecretBoxOf } from '@tickrate/platform';
import { playExamples } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { createAdministrator } from '../../testing/administrator-harness.ts';
import { type ManagedProject, secretsKey, startStoredWorld } from '../../testing/console-harness.ts';
import { createPlayer } from '../../testing/player-harness.ts';

const { world, postgresUrl, clickhouse } = await startStoredWorld({ outbox: true });

interface StoredEvent {
  readonly projectId: string;
  readonly type: string;
  /** Or the text of the body. */
  readonly event: object | string;
  readonly accountId?: string;
  readonly version?: number;
}

async function store({ projectId, type, event, accountId = '', version = 1 }: StoredEvent): Promise<void> {
  const row = { project: projectId, type, version, account_id: accountId, key_kind: 'public' };
  const data = typeof event === 'string' ? event : JSON.stringify(event);
  const now = new Date().toISOString();
  const ids = { event_id: crypto.randomUUID(), chunk_id: crypto.randomUUID(), received: now, occurred: now };
  const rest = JSON.stringify({ ...row, ...ids }).slice(0, -1);
  const settings = "date_time_input_format = 'best_effort'";
  await clickhouse.run(`INSERT INTO events SETTINGS ${settings} FORMAT JSONEachRow ${rest},"data":${data}}`);
}

/** The rejected event of the examples. */
async function reject(projectId: string, keyId: string): Promise<void> {
  const quarantine = createQuarantine({ postgresUrl });
  const kind = { projectId, type: 'boss_defeated', version: 2, reason: 'range' };
  const receivedMs = Date.UTC(2026, 10, 20, 12);
  const raw = Buffer.from('{"level":0}');
  await quarantine.keepRejections({
    producer: 'gateway-1',
    number: 1,
    counts: [{ ...kind, events: 1, firstMs: receivedMs, lastMs: receivedMs }],
    samples: [
      {
        ...kind,
        id: '01a1f5b5-2a00-7abc-8def-0123456789ab',
        versionNamed: true,
        pointer: '/level',
        message: 'must be at least 1',
        form: 'event',
        raw,
        bytes: raw.length,
        keyId,
        keyLine: keyId,
        keyKind: 'public',
        sessionId: '',
        accountId: '',
        clientAddress: '',
        sdkName: 'unity',
        sdkVersion: '1.2.3',
        eventId: null,
        receivedMs,
        requestId: crypto.randomUUID(),
        occurredMs: null,
        skewMs: 0,
      },
    ],
  });
  await quarantine.close();
}

const declaration = {
  type: 'object',
  required: ['level'],
  properties: {
    level: { type: 'integer', minimum: 1 },
    nick: { type: 'string', 'x-personal': true },
    score: { type: 'integer', format: 'int64' },
  },
};

async function declare(project: ManagedProject, name: string, body: object = { declaration }) {
  return world.send({
    method: 'POST',
    path: `/v1/event-types/${name}/versions`,
    key: project.key,
    body,
  });
}

describe('declaring', () => {
  test('a breaking version is rejected with `compatibleOnly`, with its breaking changes', async () => {
    const project = await world.project();
    await declare(project, 'kill');
    const narrower = { ...declaration, required: ['level', 'nick'] };
    const { status, body } = await declare(project, 'kill', { declaration: narrower, compatibleOnly: true });
    expect([status, body.code]).toEqual([409, 3002]);
    expect(body.data.queryFailureErrors).toMatchObject([{ location: '/nick', reason: 'nowRequired' }]);
    const dry = await declare(project, 'kill', { declaration: narrower, dryRun: true });
    expect(dry.body.changes).toMatchObject([{ pointer: '/nick', kind: 'breaking' }]);
    const { body: type } = await world.send({ path: '/v1/event-types/kill', key: project.key });
    expect(type.versions).toHaveLength(1);
  });

  test('a declaration outside the profile is rejected with every fault', async () => {
    const project = await world.project();
    const faulty = {
      type: 'object',
      properties: { a: { type: 'text' }, b: { minimum: 'x', type: 'integer' } },
    };
    const { status, body } = await declare(project, 'faulty', { declaration: faulty });
    expect([status, body.code, body.data.parameterName]).toEqual([400, 1003, 'declaration']);
    const places = body.data.queryFailureErrors.map(({ location }: { location: string }) => location);
    expect(places).toEqual(['/properties/a/type', '/properties/b/minimum']);
    expect((await declare(project, '1st')).body.data.parameterName).toBe('name');
    const rounded = await world.send({
      method: 'POST',
      path: '/v1/event-types/faulty/versions',
      key: project.key,
      body: '{"declaration":{"type":"object","properties":{"a":{"type":"integer","minimum":9007199254740993}}}}',
    });
    expect(rounded.body.data.queryFailureErrors).toMatchObject([
      { location: '/properties/a/minimum', message: 'would be rounded to 9007199254740992' },
    ]);
  });

  test('a status changes only from the status that was read', async () => {
    const project = await world.project();
    await declare(project, 'kill');
    const path = '/v1/event-types/kill/versions/1';
    const change = (from: string, status: string) =>
      world.send({ method: 'PATCH', path, key: project.key, body: { from, status } });
    expect((await change('available', 'deprecated')).body.status).toBe('deprecated');
    expect((await change('available', 'retired')).body.code).toBe(3004);
  });

  test("another project's types are not found", async () => {
    const project = await world.project();
    const other = await world.project();
    await declare(other, 'kill');
    for (const path of ['', '/code?language=csharp', '/samples', '/difference?from=1&to=1']) {
      const { body } = await world.send({ path: `/v1/event-types/kill${path}`, key: project.key });
      expect(body.code).toBe(3001);
    }
  });

  test('a folder is exported and imported elsewhere unchanged, and a rejected file does not stop the others', async () => {
    const project = await world.project();
    for (const name of ['a.one', 'b', 'c']) await declare(project, name);
    const files: object[] = [];
    let path: string | null = '/v1/declarations?limit=2';
    while (path !== null) {
      const { body }: { body: { results: object[]; next: string | null } } = await world.send({
        path,
        key: project.key,
      });
      files.push(...body.results);
      path = body.next && `/v1/declarations?limit=2&cursor=${body.next}`;
    }
    expect(files).toHaveLength(3);
    const elsewhere = await world.project();
    const faulty = { name: '1', declaration };
    const imported = await world.send({
      method: 'POST',
      path: '/v1/declarations',
      key: elsewhere.key,
      body: { declarations: [faulty, ...files] },
    });
    const outcomes = imported.body.results.map(
      ({ declared }: { declared: object | null }) => declared !== null,
    );
    expect(outcomes).toEqual([false, true, true, true]);
    const again = await world.send({ path: '/v1/declarations', key: elsewhere.key });
    expect(again.body.results).toEqual(files);
  });
});

describe('trying', () => {
  test('an event is validated exactly and not stored', async () => {
    const project = await world.project();
    await declare(project, 'kill');
    const validate = async (body: unknown) =>
      (
        await world.send({
          method: 'POST',
          path: '/v1/event-types/kill/validate',
          key: project.key,
          body,
        })
      ).body;
    expect(await validate('{"level":1,"score":9223372036854775807}')).toMatchObject({ valid: true });
    const { valid, errors } = await validate('{"level":1,"score":9223372036854775808,"colour":1}');
    expect(valid).toBe(false);
    expect(errors.map(({ location, reason }: Record<string, string>) => [location, reason])).toEqual([
      ['/score', 'range'],
      ['/colour', 'unknown'],
    ]);
    const samples = await world.send({ path: '/v1/event-types/kill/samples', key: project.key });
    expect(samples.body.results).toEqual([]);
  });

  test('stored events of this project and type are listed, newest first', async () => {
    const project = await world.project();
    const other = await world.project();
    for (const owner of [project, other]) await declare(owner, 'kill');
    await declare(project, 'other');
    for (const event of ['{"level":1}', '{"level":2}', '{"level":3,"score":9223372036854775807}']) {
      await store({ projectId: project.projectId, type: 'kill', event, accountId: 'u-1' });
    }
    await store({ projectId: other.projectId, type: 'kill', event: { level: 8 } });
    await store({ projectId: project.projectId, type: 'other', event: { level: 9 } });
    const { body } = await world.send({ path: '/v1/event-types/kill/samples?limit=2', key: project.key });
    expect(body.results.map(({ event }: { event: { level: number } }) => Number(event.level))).toEqual([
      3, 2,
    ]);
    expect(body.results[0]).toMatchObject({ accountId: 'u-1', sessionId: null, version: 1 });
  });

  test('personal data is hidden from callers without the scope', async () => {
    const { projectId, key } = await world.project();
    await declare({ projectId, key, keyId: '' }, 'kill');
    await store({ projectId, type: 'kill', event: { level: 1, nick: 'Bo' }, accountId: 'u-1' });
    const { text: reader } = await world.registry.createKey({
      projectId,
      kind: 'administrative',
      comment: '',
      createdBy: 'test',
      scopes: ['eventTypes:read'],
    });
    const path = '/v1/event-types/kill/samples';
    const seen = (await world.send({ path, key: reader })).body.results[0];
    expect([seen.event.nick, seen.accountId, seen.event.level]).toEqual([null, null, 1]);
    expect((await world.send({ path, key })).body.results[0].event.nick).toBe('Bo');
  });
});

async function saveDashboard(projectId: string): Promise<string> {
  const tile = { title: 'One', chart: 'number', query: { sql: 'SELECT toUInt8(1) AS n' } };
  const record = {
    projectId,
    kind: 'dashboard',
    name: 'Levels',
    content: { tiles: [tile] },
    createdBy: 'test',
  } as const;
  return (await world.registry.save(record)).id;
}

/** The text of a live stream, with the id and the delay of its example. */
function asShown(stream: string): string {
  return stream
    .replace(/^id: \S+/m, 'id: 019ab2c4-5d6e-7f80-9123-456789abcdef.0.0')
    .replace(/"lagSeconds":[\d.]+/, '"lagSeconds":0');
}

async function createInstallationOwner() {
  const { projectId } = await world.project();
  const owner = await createAdministrator(world.accounts, { [projectId]: 'owner' });
  const own = 'UPDATE auth.accounts SET owns_installation = true WHERE id = $1';
  await world.accounts.query(own, [owner.accountId]);
  return owner;
}

describe('the description', () => {
  test('every example works as shown, in order', async () => {
    const { projectId, key, keyId } = await world.project();
    const owner = await createInstallationOwner();
    const analyst = await createAdministrator(world.accounts, { [projectId]: 'analyst' });
    const send = async ({ example, ...call }: { path: string; example: string }) => {
      const ofOwner = example === 'for the owner of the installation';
      const answer = await world.send({ ...call, key: ofOwner ? owner.key : key });
      return call.path.startsWith('/v1/live') ? { ...answer, body: asShown(answer.body) } : answer;
    };
    // No process plays a demo here, a project is deleted by a session, and the schema lists hundreds of functions. All have
    // tests of their own.
    const left = ['startDemo', 'removeDemo', 'deleteProject', 'listDeletedProjects', 'getQuerySchema'];
    const offered = world.operations.filter(({ id }) => !left.includes(id));
    const played = await playExamples(offered, {
      send,
      known: {
        'p-abcdefghijkm': projectId,
        'key 019ab2c4-0000-7000-8000-000000000001': `key ${keyId}`,
        '019ab2c4-0000-7000-8000-000000000001': keyId,
      },
      before: {
        listMembers: async (learn) => {
          learn('u-abcdefghijkmnpqrstuv', analyst.accountId);
          learn('ada@example.com', analyst.emailAddress);
        },
        listMemberGrants: async (learn) => {
          const { key: made } = await world.registry.createKey({
            projectId,
            kind: 'administrative',
            comment: 'Nightly reports',
            createdBy: analyst.accountId,
            scopes: ['queries:read'],
          });
          learn('tk_adm_9Kb3d', made.prefix);
        },
        listPlayers: async (learn) => {
          const player = await createPlayer(world.accounts, { projectId, nowMs: Date.now() });
          learn('u-bcdefghijkmnpqrstuvw', player.accountId);
          learn('us-bcdefghijkmnpqrstuvw', player.session.id);
          learn('max@example.com', player.emailAddress);
          learn('76561197960287930', player.subject);
        },
        exportPlayer: async () => {
          const erasures = createErasures({ postgresUrl, newId: () => crypto.randomUUID() });
          const erased = { projectId, accountId: 'u-erased', mode: 'remove', requestedBy: 'test' } as const;
          await erasures.request(erased);
          await erasures.close();
        },
        listOutbox: () =>
          putMail(inRealm(world.accounts, projectId), {
            id: crypto.randomUUID(),
            accountId: null,
            to: 'bo@example.com',
            subject: 'Reset your password',
            body: createSecretBoxOf(secretsKey).seal('Code: 7a1b2c', 'outbox'),
            sentMs: Date.now(),
          }),
        createShare: async (learn) =>
          learn('019ab2c4-5d6e-7f80-9123-456789abcb02', await saveDashboard(projectId)),
        readShared: async (learn) => {
          const dashboardId = await saveDashboard(projectId);
          const expiresMs = Date.now() + 86_400_000;
          const request = { projectId, dashboardId, createdBy: 'test', keyId: null, expiresMs };
          learn('token-of-a-link', (await world.registry.createShare(request)).token);
        },
        countQuarantined: () => reject(projectId, keyId),
        getPipelineStatus: async () => {
          const fleet = createFleet({ postgresUrl });
          const load = { eventsPerSecond: 41.5, memoryBytes: 180_000_000 };
          await fleet.reportWorker({ name: 'worker-1:4711', startedMs: Date.now(), ...load });
          await fleet.close();
        },
        profileEventType: async () => {
          for (const character of ['ranger', undefined]) {
            await store({ projectId, type: 'boss_defeated', event: { level: 3, character }, version: 2 });
          }
        },
        sampleEvents: () =>
          store({
            projectId,
            type: 'boss_defeated',
            event: { level: 3, character: 'ranger' },
            version: 2,
          }),
      },
    });
    expect(played).toBeGreaterThanOrEqual(offered.length);
  });
});
