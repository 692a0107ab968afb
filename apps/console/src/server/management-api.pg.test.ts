import { lintDescriptions, lintOpenApi, waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { consoleConfig } from '../config.ts';
import { secretsKey, startConsoleWorld } from '../testing/console-harness.ts';

const { world, postgresUrl } = await startConsoleWorld({ browserOrigins: ['https://console.example'] });

// Invariant (HTTP): The documents describe required members, nullable members and both forms of errors for
// generated clients
// Invariant (HTTP): Every call that takes an object rejects `null`, arrays, scalars and an empty body;
// only a sign-in may be empty
describe('the permission to manage', () => {
  test.each([
    ['no key', undefined, 2001],
    ['an invalid text', 'tk_adm_nonsense', 2002],
  ])('%s is rejected', async (_what, key, code) => {
    const { status, body } = await world.send({ path: '/v1/keys', key });
    expect([status, body.code]).toEqual([401, code]);
  });

  test('a public key is rejected with the required kinds of keys', async () => {
    const { projectId } = await world.project();
    const { text } = await world.registry.createKey({
      projectId,
      kind: 'public',
      comment: '',
      createdBy: 'test',
    });
    const { body } = await world.send({ path: '/v1/keys', key: text });
    expect([body.code, body.data.expectedSessionType]).toEqual([2003, 'administrative']);
  });

  test('a key without the scope receives the missing scope before its body is read', async () => {
    const { key } = await world.project(['keys:read', 'eventTypes:write']);
    expect((await world.send({ path: '/v1/keys', key })).status).toBe(200);
    const { body } = await world.send({ method: 'POST', path: '/v1/keys', key, body: '{' });
    expect([body.code, body.data.parameterName]).toEqual([2006, 'keys:write']);
  });

  test('a caller cannot grant scopes that it does not have', async () => {
    const { key } = await world.project(['keys:write']);
    const grant = (scopes: string[]) =>
      world.send({ method: 'POST', path: '/v1/keys', key, body: { kind: 'administrative', scopes } });
    expect((await grant(['keys:read'])).status).toBe(200);
    for (const scope of ['players:read', 'all:read', 'personal:read']) {
      expect((await grant([scope])).body.data.parameterName).toBe(scope);
    }
    expect((await grant(['everything'])).body.code).toBe(1003);
  });

  test('a caller cannot change or replace a key with more rights', async () => {
    const strong = await world.project();
    const { text: weak } = await world.registry.createKey({
      projectId: strong.projectId,
      kind: 'administrative',
      comment: '',
      createdBy: 'test',
      scopes: ['keys:write'],
    });
    const path = `/v1/keys/${strong.keyId}`;
    const { body } = await world.send({ path, key: weak });
    const edit = { version: body.version, comment: 'mine' };
    expect((await world.send({ method: 'PATCH', path, key: weak, body: edit })).body.code).toBe(2006);
    const rotation = { method: 'POST', path: `${path}/rotate`, key: weak, body: { overlapSeconds: 0 } };
    expect((await world.send(rotation)).body.code).toBe(2006);
  });

  test('a project or key of another project returns 404, as if it did not exist', async () => {
    const mine = await world.project();
    const other = await world.project();
    const ask = async (path: string) => {
      const { status, body } = await world.send({ path, key: mine.key });
      return { status, code: body.code, message: body.message, members: Object.keys(body.data) };
    };
    expect(await ask(`/v1/projects/${other.projectId}`)).toEqual(await ask('/v1/projects/p-aaaaaaaaaaaa'));
    expect(await ask(`/v1/keys/${other.keyId}`)).toEqual(
      await ask('/v1/keys/019ab2c4-5d6e-7f80-9123-456789abcdef'),
    );
    const listed = await world.send({ path: '/v1/projects', key: mine.key });
    expect(listed.body.results.map(({ id }: { id: string }) => id)).toEqual([mine.projectId]);
  });

  test('a web page from an origin that the key does not list is rejected', async () => {
    const { projectId } = await world.project();
    const { text: key } = await world.registry.createKey({
      projectId,
      kind: 'administrative',
      comment: '',
      createdBy: 'test',
      scopes: ['keys:read'],
      origins: ['https://studio.example'],
    });
    const from = (origin: string) => world.send({ path: '/v1/keys', key, headers: { origin } });
    expect((await from('https://elsewhere.example')).body.code).toBe(2007);
    expect((await from('https://studio.example')).status).toBe(200);
  });
});

test('a web page from another origin can call only if that origin is configured', async () => {
  const { key } = await world.project();
  const headers = { Origin: 'https://console.example' };
  const asked = { 'Access-Control-Request-Method': 'PATCH', 'Access-Control-Request-Headers': 'x-api-key' };
  const path = '/v1/projects/p-aaaaaaaaaaaa';
  const preflight = await fetch(world.url + path, { method: 'OPTIONS', headers: { ...headers, ...asked } });
  expect(preflight.status).toBe(200);
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
  for (const answer of [preflight, await world.send({ path, key, headers })]) {
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://console.example');
  }
  const other = await world.send({ path, key, headers: { Origin: 'https://elsewhere.example' } });
  expect(other.headers.has('access-control-allow-origin')).toBe(false);
  const required = {
    POSTGRES_URL: postgresUrl,
    QUEUE_URL: postgresUrl,
    CLICKHOUSE_URL: 'http://127.0.0.1:9',
  };
  const parse = (origins: object) =>
    consoleConfig.parse({ ...required, SECRETS_KEY: secretsKey, ...origins });
  expect(parse({}).browserOrigins).toEqual([]);
  expect(() => parse({ CONSOLE_ORIGINS: 'https://console.example/' })).toThrow('CONSOLE_ORIGINS');
});

test('mails are shown only if the setting is on', async () => {
  const { key } = await world.project();
  const { body } = await world.send({ path: '/v1/outbox', key });
  expect([body.code, body.data.objectType]).toEqual([3001, 'outbox']);
});

describe('projects', () => {
  test("a new project has a key with the creator's rights, without access to the old project", async () => {
    const { key, projectId } = await world.project(['projects:write', 'keys:read']);
    const made = await world.send({ method: 'POST', path: '/v1/projects', key, body: { name: 'Kart 2' } });
    const { project, text } = made.body;
    const listed = await world.send({ path: '/v1/keys', key: text });
    expect(listed.body.results).toMatchObject([
      { projectId: project.id, scopes: ['projects:write', 'keys:read'] },
    ]);
    const others = [
      { path: `/v1/projects/${projectId}`, key: text },
      { path: `/v1/projects/${project.id}`, key },
    ];
    for (const call of others) {
      const { status, body } = await world.send(call);
      expect([status, body.code, body.data.objectType]).toEqual([404, 3001, 'project']);
    }
  });

  test('another project and an unknown one are answered alike, whatever is done with it', async () => {
    const { key } = await world.project(['projects:read', 'projects:write']);
    const { projectId } = await world.project();
    for (const change of [{}, { method: 'PATCH', body: { version: 'x', name: 'Mine' } }]) {
      const answers = await Promise.all(
        [projectId, 'p-000000000000'].map(async (id) => {
          const { status, body } = await world.send({ path: `/v1/projects/${id}`, key, ...change });
          return [status, body.code, body.message, body.fields, Object.keys(body.data)];
        }),
      );
      expect(answers[0]?.slice(0, 2)).toEqual([404, 3001]);
      expect(answers[0]).toEqual(answers[1]);
    }
  });

  test('a text that PostgreSQL cannot store is rejected in a body and in an address', async () => {
    const { key } = await world.project();
    const named = { method: 'POST', path: '/v1/projects', key, body: { name: 'a\0b' } };
    const calls = [named, { path: '/v1/audit?accountId=%00', key }, { path: '/v1/players/%00', key }];
    for (const call of calls) expect((await world.send(call)).body.code).toBe(1003);
  });

  test('are renamed only with the latest version', async () => {
    const { key, projectId } = await world.project();
    const path = `/v1/projects/${projectId}`;
    const { version } = (await world.send({ path, key })).body;
    const rename = (name: string) => world.send({ method: 'PATCH', path, key, body: { version, name } });
    expect((await rename('Kart 2')).body.name).toBe('Kart 2');
    expect((await rename('Kart 3')).body.code).toBe(3004);
    expect((await world.send({ path, key })).body.name).toBe('Kart 2');
  });
});

describe('keys', () => {
  test('a new key works immediately, its text is in no list, and its last use is shown', async () => {
    const { key } = await world.project();
    const made = await world.send({
      method: 'POST',
      path: '/v1/keys',
      key,
      body: { kind: 'administrative', scopes: ['keys:read'], comment: 'CI' },
    });
    const { text, key: shown } = made.body;
    expect((await world.send({ path: '/v1/keys', key: text })).status).toBe(200);
    const { body } = await world.send({ path: '/v1/keys', key });
    expect(JSON.stringify(body)).not.toContain(text);
    const ends = { prefix: text.slice(0, 12), ending: text.slice(-4) };
    expect(body.results[0]).toMatchObject({ id: shown.id, ...ends, comment: 'CI' });
    expect(world.log()).not.toContain(text);
  });

  test('a revoked key is rejected', async () => {
    const { key } = await world.project();
    const path = '/v1/keys';
    const made = await world.send({
      method: 'POST',
      path,
      key,
      body: { kind: 'administrative', scopes: ['keys:read'] },
    });
    const { text, key: shown } = made.body;
    expect((await world.send({ path, key: text })).status).toBe(200);
    await world.send({ method: 'DELETE', path: `${path}/${shown.id}`, key });
    await waitUntil(async () => (await world.send({ path, key: text })).body.code === 2002, {
      what: 'the refusal of a revoked key',
    });
  });

  test('a call cannot revoke its own key', async () => {
    const { key, keyId } = await world.project();
    const { body } = await world.send({ method: 'DELETE', path: `/v1/keys/${keyId}`, key });
    expect(body.code).toBe(3002);
  });

  test('a list continues at its cursor and rejects forged cursors', async () => {
    const { key } = await world.project();
    for (const comment of ['a', 'b', 'c']) {
      await world.send({ method: 'POST', path: '/v1/keys', key, body: { kind: 'public', comment } });
    }
    const seen: string[] = [];
    let path: string | null = '/v1/keys?limit=2';
    while (path !== null) {
      const { body }: { body: { results: { comment: string }[]; next: string | null } } = await world.send({
        path,
        key,
      });
      seen.push(...body.results.map(({ comment }) => comment));
      path = body.next === null ? null : `/v1/keys?limit=2&cursor=${body.next}`;
    }
    expect(seen).toEqual(['c', 'b', 'a', 'tests']);
    expect((await world.send({ path: '/v1/keys?cursor=nonsense', key })).body.data.parameterName).toBe(
      'cursor',
    );
  });

  const id = '0199aaaa-0000-7000-8000-000000000001';
  test.each([
    ['quarantine', 'nonsense'],
    ['quarantine', written({ id })],
    ['keys', written({ createdMs: 1e300, keyId: id })],
    ['members', written({ grantedMs: -1e300, accountId: 'u-1' })],
    ['event-types', written({ name: 'a\0' })],
    ['saved-queries', written({ name: '\ud800', id })],
  ])('the list of %s rejects the invalid cursor %j', async (list, cursor) => {
    const { key } = await world.project();
    expect(await world.send({ path: `/v1/${list}?cursor=${cursor}`, key })).toMatchObject({
      status: 400,
      body: { code: 1003, data: { parameterName: 'cursor' } },
    });
  });

  function written(place: object): string {
    return Buffer.from(JSON.stringify(place)).toString('base64url');
  }
});

describe('the description', () => {
  test('is an OpenAPI document that passes an independent linter', async () => {
    expect(await lintOpenApi(world.document)).toEqual([]);
  });

  test('describes every answer correctly for a generated client', () => {
    // A policy is returned unchanged.
    expect(lintDescriptions(world.document, ['value'])).toEqual([]);
  });

  test('is served as a document and as a page', async () => {
    const served = await world.send({ path: '/openapi.json' });
    expect(served.body).toEqual(world.document);
    const page = await world.send({ path: '/docs' });
    for (const { summary } of world.operations) expect(page.body).toContain(summary);
  });
});

describe('a tile with a saved query', () => {
  const content = { sql: 'SELECT 1' };
  const save = async (key: string) => {
    const body = { name: 'Ones', content };
    return (await world.send({ method: 'POST', path: '/v1/saved-queries', key, body })).body.id;
  };
  const tileOf = (savedQueryId: string) => ({ title: 'Ones', chart: 'table', savedQueryId });
  const unknown = '019ab2c4-5d6e-7f80-9123-456789abcbff';

  test('names one of its own project, or is refused with its place', async () => {
    const [{ key }, other] = [await world.project(), await world.project()];
    const [own, foreign] = [await save(key), await save(other.key)];
    const path = '/v1/dashboards';
    const make = (...ids: string[]) =>
      world.send({ method: 'POST', path, key, body: { name: 'D', content: { tiles: ids.map(tileOf) } } });
    for (const id of [foreign, unknown]) {
      const { status, body } = await make(own, id);
      expect([status, body.code, body.data.parameterName]).toEqual([
        400,
        1003,
        'content.tiles.1.savedQueryId',
      ]);
    }
    const made = await make(own, own);
    expect(made.status).toBe(200);
    const edit = (version: string, change: object) =>
      world.send({ method: 'PATCH', path: `${path}/${made.body.id}`, key, body: { version, ...change } });
    const refused = await edit(made.body.version, { content: { tiles: [tileOf(foreign)] } });
    expect(refused.body.data).toMatchObject({ parameterName: 'content.tiles.0.savedQueryId' });
    await world.send({ method: 'DELETE', path: `/v1/saved-queries/${own}`, key });
    const kept = await edit(made.body.version, { name: 'E', content: { tiles: [tileOf(own)] } });
    expect(kept.body.name).toBe('E');
  });
});

test.each(['/v1/dashboards', '/v1/saved-queries'])(
  '%s/{id} returns one record, and none of another project',
  async (path) => {
    const [{ key }, other] = [await world.project(), await world.project()];
    const content = path === '/v1/dashboards' ? { tiles: [] } : { sql: 'SELECT 1' };
    const made = await world.send({ method: 'POST', path, key, body: { name: 'One', content } });
    const read = (reader: string, id: string) => world.send({ path: `${path}/${id}`, key: reader });
    expect((await read(key, made.body.id)).body).toEqual(made.body);
    expect((await read(other.key, made.body.id)).body.code).toBe(3001);
    expect((await read(key, 'no-id')).body.code).toBe(3001);
    await world.send({ method: 'DELETE', path: `${path}/${made.body.id}`, key });
    expect((await read(key, made.body.id)).body.code).toBe(3001);
  },
);

test('a call that takes an object rejects every other body, and none at all', async () => {
  const { key } = await world.project();
  const taken = world.operations.filter(({ keys }) => keys.includes('administrative'));
  const wrong: unknown[] = [];
  let calls = 0;
  for (const { id, method, path, body: schema, bodyOptional, examples } of taken) {
    if (schema === undefined) continue;
    calls += 1;
    const params: Readonly<Record<string, unknown>> = examples?.[0]?.params ?? {};
    const place = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
    for (const body of ['null', '[]', '"x"', '1', 'true', ...(bodyOptional ? [] : [''])]) {
      const { status, body: answer } = await world.send({ method, path: place, key, body });
      const expected = body === '' ? 1001 : 1002;
      if (status !== 400 || answer.code !== expected)
        wrong.push([id, body, status, answer.code, answer.fields]);
    }
  }
  expect(calls).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});
