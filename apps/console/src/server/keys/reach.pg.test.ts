import { grantableScopes, isPermitted } from '@tickrate/contract';
import type { KeyRecord } from '@tickrate/registry';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAdministrator } from '../../testing/administrator-harness.ts';
import { startConsoleWorld } from '../../testing/console-harness.ts';

const { world } = await startConsoleWorld();

interface Bounds {
  readonly scopes: readonly string[];
  readonly origins: readonly string[] | null;
  readonly expiresMs: number | null;
}

const hourMs = 3_600_000;
const soon = Date.now() + 24 * hourMs;
const scopesOf = fc.subarray(
  ['keys:write', 'projects:write', 'members:write', 'policies:write', 'all:read'],
  {
    minLength: 1,
  },
);
const originsOf = fc.constantFrom(null, ['https://a.example'], ['https://a.example', 'https://b.example']);
const boundsOf = fc.record<Bounds>({
  scopes: fc.oneof(
    scopesOf.map((scopes) => ['keys:write', ...scopes]),
    fc.constant(['all:write']),
  ),
  origins: originsOf,
  expiresMs: fc.constantFrom(null, soon, soon + hourMs),
});
const askedOf = fc.record(
  {
    kind: fc.constantFrom('administrative', 'public'),
    scopes: fc.oneof(fc.subarray([...grantableScopes], { maxLength: 3 }), fc.constant(['all:write'])),
    origins: originsOf,
    expires: fc.constantFrom(null, new Date(soon).toISOString(), new Date(soon + 2 * hourMs).toISOString()),
  },
  { requiredKeys: ['kind'] },
);
/** The calling key, and the key that the call is about. */
const hands = { by: fc.nat(20), target: fc.nat(20), overlapSeconds: fc.constantFrom(0, 3_600) };
const callOf = fc.oneof(
  fc.record({ what: fc.constant('create' as const), ...hands, asked: askedOf }),
  fc.record({ what: fc.constant('rotate' as const), ...hands, asked: askedOf }),
  fc.record({ what: fc.constant('edit' as const), ...hands, asked: askedOf }),
  fc.record({ what: fc.constant('revoke' as const), ...hands, asked: askedOf }),
  fc.record({ what: fc.constant('project' as const), ...hands, asked: askedOf }),
);

function goesBeyond(key: Bounds, initial: Bounds): boolean {
  const { origins } = initial;
  const endOf = (bounds: Bounds) => bounds.expiresMs ?? Number.POSITIVE_INFINITY;
  return (
    key.scopes.some((scope) => !isPermitted(initial.scopes, scope)) ||
    (origins !== null && !(key.origins?.every((origin) => origins.includes(origin)) ?? false)) ||
    endOf(key) > endOf(initial)
  );
}

// Invariant (Management): No sequence of management calls creates anything that exceeds a key's rights,
// origins or lifetime, or survives its revocation
describe('the reach of a key', () => {
  test('never exceeds its rights, origins and expiry in any sequence of calls', async () => {
    await fc.assert(
      fc.asyncProperty(
        boundsOf,
        fc.array(boundsOf, { maxLength: 2 }),
        fc.array(callOf, { minLength: 1, maxLength: 10 }),
        async (initial, others, calls) => {
          const { id: projectId } = await world.registry.createProject({ name: 'Kart' });
          const make = (bounds: Bounds) =>
            world.registry.createKey({
              projectId,
              kind: 'administrative',
              comment: '',
              createdBy: 'test',
              ...bounds,
            });
          const first = await make(initial);
          const strangers = (await Promise.all(others.map(make))).map(({ key }) => key);
          const held = new Map<string, string>([[first.key.id, first.text]]);
          for (const call of calls) await play(call, held);

          const all = await everyKey(held);
          for (const id of held.keys()) {
            const key = all.get(id);
            if (key) expect(goesBeyond(key, initial)).toBe(false);
          }
          for (const stranger of strangers) {
            if (goesBeyond(stranger, initial)) expect(all.get(stranger.id)).toEqual(stranger);
          }
          await world.registry.revokeKey({ keyId: first.key.id });
          for (const key of (await everyKey(held)).values()) {
            if (held.has(key.id)) expect(key.revokedMs).not.toBeNull();
          }
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  /** Makes one call with a held key. Keys in the answer are held from then on. */
  async function play(
    { what, by, target, overlapSeconds, asked }: Call,
    held: Map<string, string>,
  ): Promise<void> {
    const [callerId = '', key = ''] = [...held][by % held.size] ?? [];
    const { projectId = '' } = (await everyKey(held)).get(callerId) ?? {};
    const keys = await world.registry.keys(projectId);
    const about = keys[target % keys.length];
    const path = `/v1/keys/${about?.id}`;
    const call = {
      create: { method: 'POST', path: '/v1/keys', body: asked },
      rotate: { method: 'POST', path: `${path}/rotate`, body: { overlapSeconds } },
      edit: { method: 'PATCH', path, body: { ...editOf(asked), version: await versionOf(path, key) } },
      revoke: { method: 'DELETE', path },
      project: { method: 'POST', path: '/v1/projects', body: { name: 'Another' } },
    }[what];
    const { body } = await world.send({ ...call, key });
    if (typeof body?.text === 'string') held.set(body.key.id, body.text);
  }

  async function versionOf(path: string, key: string): Promise<string> {
    return (await world.send({ path, key })).body.version ?? 'none';
  }

  test('ends with it: its keys and invitations are revoked, too', async () => {
    const { projectId, key, keyId } = await world.project();
    const post = (path: string, body: object, by = key) =>
      world.send({ method: 'POST', path, key: by, body });
    const child = (await post('/v1/keys', { kind: 'administrative', scopes: ['all:write'] })).body;
    const grandchild = (await post('/v1/keys', { kind: 'public' }, child.text)).body;
    const invitation = { emailAddress: 'thief@example.com', role: 'viewer' };
    expect((await post('/v1/invitations', invitation, child.text)).status).toBe(200);
    const owner = await createAdministrator(world.accounts, { [projectId]: 'owner' });
    const revoked = await world.send({ method: 'DELETE', path: `/v1/keys/${keyId}`, key: owner.key });
    expect(revoked.status).toBe(200);
    const keys = await world.registry.keys(projectId);
    for (const { id } of [child.key, grandchild.key]) {
      expect(keys.find((each) => each.id === id)?.revokedMs).not.toBeNull();
    }
    const { body } = await world.send({ path: '/v1/invitations', key: owner.key });
    expect(body.results).toEqual([]);
  });

  test('shrinks with it', async () => {
    const { projectId, key, keyId } = await world.project();
    const asked = { kind: 'administrative', scopes: ['keys:write', 'players:read'] };
    const { body } = await world.send({ method: 'POST', path: '/v1/keys', key, body: asked });
    const owner = await createAdministrator(world.accounts, { [projectId]: 'owner' });
    const path = `/v1/keys/${keyId}`;
    const edit = {
      version: await versionOf(path, key),
      scopes: ['keys:write'],
      origins: ['https://a.example'],
    };
    expect((await world.send({ method: 'PATCH', path, key: owner.key, body: edit })).status).toBe(200);
    const keys = await world.registry.keys(projectId);
    expect(keys.find(({ id }) => id === body.key.id)).toMatchObject({
      scopes: ['keys:write'],
      origins: ['https://a.example'],
    });
  });

  test('does not include roles: a key that expires cannot give a role', async () => {
    const { projectId } = await world.project();
    const ada = await createAdministrator(world.accounts, { [projectId]: 'viewer' });
    const bounds = { scopes: ['all:write', 'personal:read'], expiresMs: soon };
    const { text: key } = await world.registry.createKey({
      projectId,
      kind: 'administrative',
      comment: '',
      createdBy: 'test',
      ...bounds,
    });
    const memberPath = `/v1/members/${ada.accountId}`;
    const invitation = { emailAddress: 'thief@example.com', role: 'viewer' };
    const roles = { value: { roles: { tester: { scopes: ['players:read'] } } } };
    const calls = [
      { method: 'POST', path: '/v1/invitations', body: invitation },
      {
        method: 'PATCH',
        path: memberPath,
        body: { role: 'owner', version: await versionOf(memberPath, key) },
      },
      {
        method: 'PUT',
        path: '/v1/policies/roles',
        body: { ...roles, version: await versionOf('/v1/policies/roles', key) },
      },
    ];
    for (const call of calls) expect((await world.send({ ...call, key })).body.code).toBe(2005);
  });
});

type Call = typeof callOf extends fc.Arbitrary<infer T> ? T : never;

function editOf({ scopes, origins }: Call['asked']) {
  return { ...(scopes && { scopes }), ...(origins !== undefined && { origins }) };
}

/** The keys of every project in which a key is held. */
async function everyKey(held: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, KeyRecord>> {
  const projects = await world.accounts.query<{ project_id: string }>(
    'SELECT DISTINCT project_id FROM registry.keys WHERE id = ANY ($1)',
    [[...held.keys()]],
  );
  const keys = await Promise.all(projects.map(({ project_id: id }) => world.registry.keys(id)));
  return new Map(keys.flat().map((key) => [key.id, key]));
}
