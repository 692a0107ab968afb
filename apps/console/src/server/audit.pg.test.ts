import { createAnswerCheck, freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleWorld, createConsoleWorld, type ManagedProject } from '../console-harness.ts';

const { url: postgresUrl } = await freshPostgres();
let world: ConsoleWorld;

beforeAll(async () => {
  world = await createConsoleWorld({ postgresUrl, createAnswerCheck });
});
afterAll(() => world.close());

interface ShownAct {
  readonly act: string;
  readonly outcome: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

async function actsOf({ key }: ManagedProject): Promise<ShownAct[]> {
  return (await world.send({ path: '/v1/audit', key })).body.results;
}

describe('the trail', () => {
  test('tells what was done, by whom, to what, and for which request', async () => {
    const project = await world.project();
    const { key } = project;
    const made = await world.send({
      ...{ method: 'POST', path: '/v1/keys', key, headers: { 'X-Request-Id': 'request-7' } },
      body: { kind: 'administrative', scopes: ['keys:read'], comment: 'CI' },
    });
    expect(await actsOf(project)).toMatchObject([
      {
        ...{ act: 'createKey', outcome: 'done', actor: `key ${project.keyId}`, requestId: 'request-7' },
        details: { kind: 'administrative', scopes: ['keys:read'], comment: 'CI', id: made.body.key.id },
      },
    ]);
  });

  test('tells of what was refused, and why', async () => {
    const project = await world.project();
    const missing = '019ab2c4-5d6e-7f80-9123-456789abcdef';
    await world.send({ method: 'DELETE', path: `/v1/keys/${missing}`, key: project.key });
    expect(await actsOf(project)).toMatchObject([
      { act: 'revokeKey', outcome: 'objectNotFound', details: { keyId: missing } },
    ]);
  });

  test('holds no value of a policy and no text of a key', async () => {
    const project = await world.project();
    const { key } = project;
    const { version } = (await world.send({ path: '/v1/policies/sessions', key })).body;
    await world.send({
      ...{ method: 'PUT', path: '/v1/policies/sessions', key },
      body: { version, value: { terms: { privacy: 'a-secret-of-this-test' } } },
    });
    const rotated = await world.send({
      ...{ method: 'POST', path: `/v1/keys/${project.keyId}/rotate`, key },
      body: { overlapSeconds: 60 },
    });
    const text = JSON.stringify(await actsOf(project));
    expect(text).toContain('"name":"sessions"');
    expect(text).not.toContain('a-secret-of-this-test');
    expect(text).not.toContain(rotated.body.text);
  });

  test('reading leaves no trace, and each project has its own trail', async () => {
    const project = await world.project();
    const other = await world.project();
    await world.send({ path: '/v1/keys', key: project.key });
    const body = { kind: 'public' };
    await world.send({ method: 'POST', path: '/v1/keys', key: other.key, body });
    expect(await actsOf(project)).toEqual([]);
    expect(await actsOf(other)).toHaveLength(1);
  });

  test('every call that may change something asks for a scope to write', () => {
    const silent = world.operations.filter(
      ({ method, scope }) => method !== 'GET' && !scope?.endsWith(':write'),
    );
    const harmless = ['validateEvent', 'verifyCertificate', 'runQuery'];
    expect(
      silent.map(({ id }) => id).filter((id) => !harmless.includes(id) && !id.startsWith('analyse')),
    ).toEqual([]);
  });
});
