import { randomBytes } from 'node:crypto';
import { type AuditAct, inRealm, writeAudit } from '@tickrate/accounts';
import { createRecordId } from '@tickrate/contract';
import { describe, expect, test } from 'vitest';
import { createAdministrator } from '../../testing/administrator-harness.ts';
import { type ManagedProject, startConsoleWorld } from '../../testing/console-harness.ts';

const { world } = await startConsoleWorld();

interface ShownAct {
  readonly act: string;
  readonly outcome: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

async function actsOf({ key }: ManagedProject): Promise<ShownAct[]> {
  return (await world.send({ path: '/v1/audit', key })).body.results;
}

// Invariant (Management): The audit names players of its project only, and only for callers with
// `players:read`
// Invariant (Management): Every change through the management API is in the audit trail, and no read or
// dry run
describe('the trail', () => {
  test('contains each action with its actor, object and request', async () => {
    const project = await world.project();
    const { key } = project;
    const made = await world.send({
      method: 'POST',
      path: '/v1/keys',
      key,
      headers: { 'X-Request-Id': 'request-7' },
      body: { kind: 'administrative', scopes: ['keys:read'], comment: 'CI' },
    });
    expect(await actsOf(project)).toMatchObject([
      {
        act: 'createKey',
        outcome: 'done',
        actor: `key ${project.keyId}`,
        requestId: 'request-7',
        details: { kind: 'administrative', scopes: ['keys:read'], comment: 'CI', id: made.body.key.id },
      },
    ]);
  });

  test('names a dashboard that is gone, and no invited address as a whole', async () => {
    const { key, ...project } = await world.project();
    const dashboard = { name: 'Levels', content: { tiles: [] } };
    const { body } = await world.send({ method: 'POST', path: '/v1/dashboards', key, body: dashboard });
    await world.send({ method: 'DELETE', path: `/v1/dashboards/${body.id}`, key });
    const invitation = { emailAddress: 'ada.l@example.com', role: 'viewer' };
    await world.send({ method: 'POST', path: '/v1/invitations', key, body: invitation });
    await world.send({ method: 'POST', path: '/v1/invitations', key, body: invitation });
    const acts = await actsOf({ key, ...project });
    expect(acts).toMatchObject([
      { act: 'inviteMember', outcome: 'objectAlreadyExists', details: { invited: 'a…@example.com' } },
      { act: 'inviteMember', outcome: 'done', details: { role: 'viewer', invited: 'a…@example.com' } },
      { act: 'deleteDashboard', outcome: 'done', details: { id: body.id, name: 'Levels' } },
      { act: 'createDashboard', outcome: 'done', details: { id: body.id, name: 'Levels' } },
    ]);
    expect(JSON.stringify(acts)).not.toContain('ada.l');
  });

  test('names the event types of an import, without their declarations', async () => {
    const project = await world.project();
    const declaration = { type: 'object', properties: { level: { type: 'integer' } } };
    const declarations = ['crash', 'level_up'].map((name) => ({ name, declaration }));
    await world.send({ method: 'POST', path: '/v1/declarations', key: project.key, body: { declarations } });
    const [act] = await actsOf(project);
    expect(act).toMatchObject({ act: 'importDeclarations', outcome: 'done' });
    expect(act?.details).toEqual({ types: ['crash', 'level_up'] });
  });

  test('contains failed actions and their reasons', async () => {
    const project = await world.project();
    const missing = '019ab2c4-5d6e-7f80-9123-456789abcdef';
    await world.send({ method: 'DELETE', path: `/v1/keys/${missing}`, key: project.key });
    expect(await actsOf(project)).toMatchObject([
      { act: 'revokeKey', outcome: 'objectNotFound', details: { keyId: missing } },
    ]);
  });

  test('contains no value of a policy and no text of a key', async () => {
    const project = await world.project();
    const { key } = project;
    const { version } = (await world.send({ path: '/v1/policies/sessions', key })).body;
    await world.send({
      method: 'PUT',
      path: '/v1/policies/sessions',
      key,
      body: { version, value: { terms: { privacy: 'a-secret-of-this-test' } } },
    });
    const rotated = await world.send({
      method: 'POST',
      path: `/v1/keys/${project.keyId}/rotate`,
      key,
      body: { overlapSeconds: 60 },
    });
    const text = JSON.stringify(await actsOf(project));
    expect(text).toContain('"name":"sessions"');
    expect(text).not.toContain('a-secret-of-this-test');
    expect(text).not.toContain(rotated.body.text);
  });

  test('contains no reads, and each project has its own trail', async () => {
    const project = await world.project();
    const other = await world.project();
    await world.send({ path: '/v1/keys', key: project.key });
    const body = { kind: 'public' };
    await world.send({ method: 'POST', path: '/v1/keys', key: other.key, body });
    expect(await actsOf(project)).toEqual([]);
    expect(await actsOf(other)).toHaveLength(1);
  });

  test('contains no dry run, and the change that follows it', async () => {
    const project = await world.project();
    const declaration = { type: 'object', properties: { level: { type: 'integer' } } };
    const declarations = [{ name: 'level_up', declaration }];
    const send = (path: string, body: object) => world.send({ method: 'POST', path, key: project.key, body });
    const one = '/v1/event-types/level_up/versions';
    const answers = [
      await send(one, { declaration, dryRun: true }),
      await send('/v1/declarations', { declarations, dryRun: true }),
      await send(one, { declaration: { type: 'nothing' }, dryRun: true }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(await actsOf(project)).toEqual([]);
    await send(one, { declaration, dryRun: false });
    expect(await actsOf(project)).toMatchObject([{ act: 'declareEventType', outcome: 'done' }]);
  });

  test('every call that can change something requires a write scope', () => {
    const silent = world.operations.filter(
      ({ method, scope }) => method !== 'GET' && !scope?.endsWith(':write'),
    );
    const harmless = [
      'validateEvent',
      'checkDeclaration',
      'verifyCertificate',
      'runQuery',
      'readShared',
      'readSharedTile',
    ];
    const changing = silent.filter(({ id, tag }) => !harmless.includes(id) && tag !== 'Analyses');
    expect(changing.map(({ id }) => id)).toEqual([]);
  });
});

interface SignInAct {
  readonly projectId: string;
  readonly act: AuditAct;
  readonly accountId?: string | null;
  readonly realm?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly atMs?: number;
}

/** Ascending times before all actions of these tests. */
const earlier = (function* times(): Generator<number, number> {
  for (let ms = Date.now() - 600_000; ; ms++) yield ms;
})();

async function signInAct({ projectId, act, accountId = null, realm = projectId, ...more }: SignInAct) {
  const { details = {}, atMs = earlier.next().value } = more;
  const id = createRecordId(atMs, randomBytes);
  const actor = { projectId, sessionId: null, requestId: 'request-8', clientAddress: '203.0.113.7' };
  const idsAndClock = { newId: () => id, now: () => atMs };
  await writeAudit(idsAndClock, inRealm(world.accounts, realm), { actor, act, accountId, details });
  return id;
}

async function entriesOf(key: string, query: Record<string, string> = {}): Promise<ShownEntry[]> {
  return (await world.send({ path: `/v1/audit?${new URLSearchParams(query)}`, key })).body.results;
}

interface ShownEntry extends ShownAct {
  readonly id: string;
  readonly actor: string | null;
}

describe('the trail of sign-in', () => {
  test('is merged with the actions by time, under one cursor', async () => {
    const { projectId, key } = await world.project();
    await signInAct({ projectId, act: 'signIn', accountId: 'u-bo' });
    await signInAct({ projectId, act: 'identityLinked', accountId: 'u-bo', details: { provider: 'steam' } });
    await world.send({ method: 'POST', path: '/v1/keys', key, body: { kind: 'public' } });
    const later = Date.now() + 60_000;
    for (const reason of ['credentialsInvalid', 'accountBanned']) {
      await signInAct({ projectId, act: 'signInRefused', details: { reason }, atMs: later });
    }
    const seen: ShownEntry[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path: string = `/v1/audit?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { body }: { body: { results: ShownEntry[]; next: string | null } } = await world.send({
        path,
        key,
      });
      seen.push(...body.results);
      cursor = body.next;
    }
    const refused = seen.slice(0, 2);
    expect(refused.map(({ outcome }) => outcome).toSorted()).toEqual(['accountBanned', 'credentialsInvalid']);
    expect(seen.slice(2).map(({ act, outcome }) => `${act} ${outcome}`)).toEqual([
      'createKey done',
      'identityLinked done',
      'signIn done',
    ]);
    expect(await entriesOf(key)).toEqual(seen);
  });

  test('can be filtered by kind, action and account', async () => {
    const { projectId, key, keyId } = await world.project();
    await signInAct({ projectId, act: 'signIn', accountId: 'u-bo' });
    await signInAct({ projectId, act: 'passwordChanged', accountId: 'u-bo' });
    await signInAct({ projectId, act: 'signIn', accountId: 'u-max' });
    await world.send({ method: 'DELETE', path: '/v1/players/u-bo/ban', key });
    const acts = async (query: Record<string, string>) => (await entriesOf(key, query)).map(({ act }) => act);
    expect(await acts({ kind: 'signIn' })).toEqual(['signIn', 'passwordChanged', 'signIn']);
    expect(await acts({ kind: 'management' })).toEqual(['unbanPlayer']);
    expect(await acts({ act: 'signIn' })).toHaveLength(2);
    expect(await acts({ act: 'signIn', kind: 'management' })).toEqual([]);
    expect(await acts({ act: 'signIn', accountId: 'u-bo' })).toEqual(['signIn']);
    expect(await acts({ accountId: 'u-bo' })).toEqual(['unbanPlayer', 'passwordChanged', 'signIn']);
    expect((await entriesOf(key, { kind: 'management' }))[0]?.actor).toBe(`key ${keyId}`);
  });

  test('is shown only with permission to see players', async () => {
    const { projectId, key } = await world.project();
    const { text } = await world.registry.createKey({
      projectId,
      kind: 'administrative',
      comment: '',
      createdBy: 'test',
      scopes: ['audit:read'],
    });
    await signInAct({ projectId, act: 'signIn', accountId: 'u-bo' });
    expect(await entriesOf(text)).toEqual([]);
    expect(await entriesOf(key)).toHaveLength(1);
    for (const query of ['kind=signIn', 'act=signIn']) {
      const { body } = await world.send({ path: `/v1/audit?${query}`, key: text });
      expect([body.code, body.data.parameterName]).toEqual([2006, 'players:read']);
    }
  });

  test('names the players of its entries, for callers with permission to see players', async () => {
    const [mine, other] = [await world.project(), await world.project()];
    const { projectId, key } = mine;
    const [ada, stranger] = ['u-adaadaadaadaadaada12', 'u-bobbobbobbobbobbob12'];
    for (const [realm, id] of [
      [projectId, ada],
      [other.projectId, stranger],
    ]) {
      await world.accounts.query(
        `INSERT INTO auth.accounts (id, realm, display_name, created) VALUES ($1, $2, 'Ada <b>', now())`,
        [id, realm],
      );
    }
    await signInAct({ projectId, act: 'signIn', accountId: ada });
    await signInAct({ projectId, act: 'signIn', accountId: stranger });
    await world.send({ method: 'DELETE', path: `/v1/players/${ada}/ban`, key });
    const { body } = await world.send({ path: '/v1/audit', key });
    const namesOf = (results: readonly { names: object }[]) => results.map(({ names }) => names);
    expect(namesOf(body.results)).toEqual([{ [ada]: 'Ada <b>' }, {}, { [ada]: 'Ada <b>' }]);
    const { text } = await world.registry.createKey({
      projectId,
      kind: 'administrative',
      comment: '',
      createdBy: 'test',
      scopes: ['audit:read'],
    });
    const without = await world.send({ path: '/v1/audit', key: text });
    expect(namesOf(without.body.results)).toEqual([{}]);
  });

  test('contains the actions of administrators in this project only', async () => {
    const [mine, other] = [await world.project(), await world.project()];
    const { projectId, key } = mine;
    const member = await createAdministrator(world.accounts, { [projectId]: 'admin' });
    const stranger = await createAdministrator(world.accounts, { [other.projectId]: 'admin' });
    const realm = 'installation';
    const write = (act: AuditAct, { accountId }: { accountId: string }, details: object = {}) =>
      signInAct({ projectId, act, realm, accountId, details: { ...details } });
    const shown = [
      await write('signIn', stranger, { project: projectId }),
      await write('signInRefused', member, { reason: 'credentialsInvalid' }),
      await write('projectSwitched', member, { from: projectId, to: other.projectId }),
    ];
    await write('signIn', member, { project: other.projectId });
    await write('signIn', stranger, { project: other.projectId });
    await write('signInRefused', stranger, { reason: 'credentialsInvalid' });
    for (const accountId of [member.accountId, 'u-player']) {
      await signInAct({ projectId: other.projectId, act: 'signIn', accountId });
    }
    const entries = await entriesOf(key);
    expect(entries.map(({ id }) => id)).toEqual(shown.toReversed());
    const ofMember = await entriesOf(key, { accountId: member.accountId });
    expect(ofMember.map(({ id }) => id)).toEqual(shown.slice(1).toReversed());
    expect(JSON.stringify(entries)).not.toContain(other.projectId);
  });
});
