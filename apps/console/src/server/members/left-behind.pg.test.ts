import { isPermitted } from '@tickrate/contract';
import { createSecretBoxOf, type RequestContext } from '@tickrate/platform';
import { waitUntil } from '@tickrate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { type Administrator, createAdministrator } from '../../testing/administrator-harness.ts';
import {
  type ConsoleCall,
  createConsoleWorld,
  secretsKey,
  startConsoleWorld,
} from '../../testing/console-harness.ts';
import { createSessionCookie } from '../session/session-cookie.ts';

const { world, postgresUrl } = await startConsoleWorld();
/** Another process on the same database. */
const elsewhere = await createConsoleWorld({ postgresUrl });
afterAll(() => elsewhere.close());

const roles = {
  keeper: {
    scopes: [
      'keys:write',
      'members:write',
      'queries:write',
      'projects:read',
      'eventTypes:read',
      'pipeline:read',
    ],
  },
  reader: { scopes: ['keys:read'] },
};
type Body = Record<string, unknown>;

async function sent(call: ConsoleCall) {
  const { status, body } = await world.send(call);
  if (status !== 200) throw new Error(`${call.method} ${call.path}: ${JSON.stringify(body)}`);
  return body;
}
const post = (path: string, key: string, body: Body) => sent({ method: 'POST', path, key, body });

const jar = createSessionCookie({
  sealer: createSecretBoxOf(secretsKey),
  now: Date.now,
  boundToAddress: true,
});

/** What a page of the console sends, which is open in the browser of this session. */
function headersOfPage(apiKey: string): Record<string, string> {
  let cookie = '';
  const appendHeader = (_name: string, value: string) => {
    cookie = value.split(';', 1)[0] ?? '';
  };
  const context = { response: { appendHeader }, clientAddress: '127.0.0.1' } as unknown as RequestContext;
  jar.set(context, { apiKey, absoluteExpiry: Number.MAX_SAFE_INTEGER });
  return { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'X-Tickrate-Console': '1' };
}

/** A project with an owner, and a member who left one of each thing behind. */
async function leaveBehind(role: string) {
  const { projectId, key: rootKey } = await world.project();
  const owner = await createAdministrator(world.accounts, { [projectId]: 'owner' });
  const { version } = await sent({ path: '/v1/policies/roles', key: owner.key });
  await sent({
    method: 'PUT',
    path: '/v1/policies/roles',
    key: owner.key,
    body: { version, value: { roles } },
  });
  const member = await createAdministrator(world.accounts, { [projectId]: role });
  const { results } = await sent({ path: '/v1/roles', key: owner.key });
  const scopes: string[] = results.find(({ name }: { name: string }) => name === role).scopes;
  const make = (key: string) => post('/v1/keys', key, { kind: 'administrative', scopes });
  const own = await make(member.key);
  const child = await make(own.text);
  const turned = await make(member.key);
  const rotated = await post(`/v1/keys/${turned.key.id}/rotate`, turned.text, { overlapSeconds: 3600 });
  const open = await post('/v1/keys', member.key, { kind: 'public' });
  const dashboard = await post('/v1/dashboards', rootKey, { name: 'Board', content: { tiles: [] } });
  const invite = (key: string) =>
    post('/v1/invitations', key, { emailAddress: `${crypto.randomUUID()}@example.com`, role: 'viewer' });
  const share = (key: string) => post(`/v1/dashboards/${dashboard.id}/shares`, key, { days: 1 });
  for (const key of [member.key, child.text]) await invite(key);
  const links = [await share(member.key), await share(child.text)].map(({ token }) => token);
  const ids = [own, child, turned, rotated, open].map(({ key }) => key.id);
  const texts = [own, child, turned, rotated].map(({ text }) => text);
  return { projectId, rootKey, owner, member, scopes, links, ids, texts };
}

/** What becomes of it, as the call says before the change. */
interface Said {
  readonly keys: readonly { readonly id: string; readonly scopes: string[]; readonly loses: string[] }[];
  readonly invitations: readonly { readonly ends: boolean }[];
  readonly shares: readonly { readonly ends: boolean }[];
}

type Left = Awaited<ReturnType<typeof leaveBehind>>;

/** What works of it, seen by both processes. */
async function works({ rootKey, member, texts, links }: Left) {
  const at = async ({ send }: typeof world) => {
    const may = async (key: string, path: string) => (await send({ path, key })).status === 200;
    const keys = await Promise.all(texts.map((text) => may(text, '/v1/keys')));
    const queries = await Promise.all(texts.map((text) => may(text, '/v1/saved-queries')));
    const open = async (token: string) =>
      (await send({ method: 'POST', path: '/v1/shared', body: { token } })).status === 200;
    const invitations = (await send({ path: '/v1/invitations', key: rootKey })).body.results.length;
    const session = await may(member.key, '/v1/keys');
    const ofPage = { path: '/v1/keys', headers: headersOfPage(member.key) };
    const page = (await send(ofPage)).status === 200;
    return { keys, queries, links: await Promise.all(links.map(open)), invitations, session, page };
  };
  const [here, there] = await Promise.all([at(world), at(elsewhere)]);
  return { here, there };
}

async function change({ owner, member }: Left, to: string) {
  const path = `/v1/members/${member.accountId}`;
  const { version } = await sent({ path, key: owner.key });
  if (to === 'removed') await sent({ method: 'DELETE', path, key: owner.key });
  else if (to === 'erased')
    await world.accounts.query("SELECT auth.erase_account($1, 'installation')", [member.accountId]);
  else await sent({ method: 'PATCH', path, key: owner.key, body: { version, role: to } });
}

const all = (value: boolean) => [value, value, value, value];
const none = {
  keys: all(false),
  queries: all(false),
  links: [false, false],
  invitations: 0,
  session: false,
  page: false,
};
const after: Record<string, typeof none> = {
  admin: {
    keys: all(true),
    queries: all(true),
    links: [true, true],
    invitations: 2,
    session: true,
    page: true,
  },
  keeper: {
    keys: all(true),
    queries: all(true),
    links: [true, true],
    invitations: 2,
    session: true,
    page: true,
  },
  analyst: { ...none, queries: all(true), links: [true, true] },
  viewer: { ...none, queries: all(true) },
  reader: { ...none, keys: all(true), session: true, page: true },
  removed: none,
  erased: none,
};
const lower = ['admin', 'keeper', 'analyst', 'viewer', 'reader', 'removed', 'erased'];
const cases = ['owner', 'admin', 'keeper'].flatMap((from) =>
  lower.slice(lower.indexOf(from) + 1).map((to) => [from, to] as const),
);

describe('what a member leaves behind does no more than its role', () => {
  test.each(cases)('%s to %s', async (from, to) => {
    const left = await leaveBehind(from);
    const before = await works(left);
    expect(before.here).toMatchObject({ keys: all(true), invitations: 2, page: true });
    const role = to === 'removed' || to === 'erased' ? '' : `?role=${to}`;
    const grantsPath = `/v1/members/${left.member.accountId}/grants${role}`;
    const said: Said = await sent({ path: grantsPath, key: left.owner.key });
    await change(left, to);
    const expected = after[to];
    expect(said.invitations.filter(({ ends }) => !ends).length).toBe(expected?.invitations);
    expect(said.shares.map(({ ends }) => !ends)).toEqual(expected?.links);
    await waitUntil(
      async () => {
        const { here, there } = await works(left);
        return JSON.stringify([here, there]) === JSON.stringify([expected, expected]);
      },
      { what: `the end of what ${to} may not do` },
    );
    const { results } = await sent({ path: '/v1/keys', key: left.rootKey });
    const kept = results.filter(({ id }: { id: string }) => left.ids.includes(id));
    for (const { id, scopes, loses } of said.keys) {
      const now: string[] = kept.find((each: { id: string }) => each.id === id).scopes;
      expect(scopes.filter((scope) => !isPermitted(now, scope))).toEqual(loses);
    }
    expect(kept.map(({ revoked }: { revoked: string | null }) => revoked)).toEqual(left.ids.map(() => null));
  });

  test('a key of the owner that the member gave more scopes has only those that the member may still give', async () => {
    const left = await leaveBehind('admin');
    const { owner, member, scopes, rootKey } = left;
    const weak = await post('/v1/keys', owner.key, { kind: 'administrative', scopes: ['queries:read'] });
    const path = `/v1/keys/${weak.key.id}`;
    const { version } = await sent({ path, key: rootKey });
    await sent({ method: 'PATCH', path, key: member.key, body: { version, scopes } });
    const grants = await sent({ path: `/v1/members/${member.accountId}/grants?role=viewer`, key: owner.key });
    expect(grants.keys.map(({ id }: { id: string }) => id)).toContain(weak.key.id);
    await change(left, 'viewer');
    const promote = { method: 'PATCH', path: `/v1/members/${member.accountId}`, key: weak.text };
    const { version: ofMember } = await sent({ path: promote.path, key: owner.key });
    const answer = await world.send({ ...promote, body: { version: ofMember, role: 'admin' } });
    expect(answer).toMatchObject({ status: 403 });
    const { scopes: kept } = await sent({ path, key: rootKey });
    expect(kept).toContain('queries:read');
    expect(kept.filter((scope: string) => scope.endsWith(':write'))).toEqual([]);
  });

  test('a key gives no more scopes to a key that it did not make', async () => {
    const { ids, owner, texts, rootKey } = await leaveBehind('admin');
    const weak = await post('/v1/keys', owner.key, { kind: 'administrative', scopes: ['queries:read'] });
    const raise = async (id: string) => {
      const { version, scopes } = await sent({ path: `/v1/keys/${id}`, key: rootKey });
      const body = { version, scopes: [...scopes, 'keys:read'] };
      return world.send({ method: 'PATCH', path: `/v1/keys/${id}`, key: texts[0] ?? '', body });
    };
    expect(await raise(weak.key.id)).toMatchObject({ status: 409, body: { code: 3002 } });
    expect(await raise(ids[1] ?? '')).toMatchObject({ status: 200 });
  });

  test('no key of a viewer gives it a role again, also while the key is being made', async () => {
    const left = await leaveBehind('admin');
    const path = `/v1/members/${left.member.accountId}`;
    await change(left, 'viewer');
    const { version } = await sent({ path, key: left.owner.key });
    for (const key of [...left.texts, left.member.key]) {
      const { status } = await world.send({ method: 'PATCH', path, key, body: { version, role: 'admin' } });
      expect(status).toBe(403);
      const made = { kind: 'administrative', scopes: ['keys:write'] };
      expect((await elsewhere.send({ method: 'POST', path: '/v1/keys', key, body: made })).status).toBe(403);
      const invited = { emailAddress: 'x@example.com', role: 'viewer' };
      expect(
        (await elsewhere.send({ method: 'POST', path: '/v1/invitations', key, body: invited })).status,
      ).toBe(403);
    }
  });

  test('a smaller role of the project limits the keys of its members', async () => {
    const left = await leaveBehind('keeper');
    const { version, value } = await sent({ path: '/v1/policies/roles', key: left.owner.key });
    const smaller = { roles: { ...value.roles, keeper: { scopes: ['queries:read'] } } };
    await sent({
      method: 'PUT',
      path: '/v1/policies/roles',
      key: left.owner.key,
      body: { version, value: smaller },
    });
    const { results } = await sent({ path: '/v1/keys', key: left.rootKey });
    const scopesOf = new Map(results.map(({ id, scopes }: { id: string; scopes: string[] }) => [id, scopes]));
    const expected = [...all(true).map(() => ['queries:read']), []];
    expect(left.ids.map((id) => scopesOf.get(id))).toEqual(expected);
    expect((await works(left)).here).toMatchObject({ invitations: 0, links: [false, false] });
  });

  test('is listed before the change, and a rotation hands a key over', async () => {
    const left = await leaveBehind('admin');
    const path = `/v1/members/${left.member.accountId}/grants`;
    const grants = await sent({ path, key: left.owner.key });
    expect(grants.keys.map(({ id }: { id: string }) => id).toSorted()).toEqual(left.ids.toSorted());
    expect([grants.invitations.length, grants.shares.length]).toEqual([2, 2]);
    const taken = await post(`/v1/keys/${left.ids[0]}/rotate`, left.owner.key, { overlapSeconds: 3600 });
    await change(left, 'removed');
    const { scopes } = await sent({ path: `/v1/keys/${taken.key.id}`, key: left.owner.key });
    expect(scopes).toEqual(left.scopes);
    expect((await world.send({ path, key: left.owner.key })).body.code).toBe(3001);
  });

  test('changes of members, roles, keys and erasures at the same time end in no deadlock', async () => {
    const left = await leaveBehind('admin');
    const others: Administrator[] = [];
    for (let n = 0; n < 3; n++)
      others.push(await createAdministrator(world.accounts, { [left.projectId]: 'admin' }));
    const statuses = await Promise.all(
      others.flatMap(({ key, accountId }, n) => [
        world.send({ method: 'DELETE', path: `/v1/members/${others[(n + 1) % 3]?.accountId}`, key }),
        elsewhere.send({ method: 'POST', path: '/v1/keys', key, body: { kind: 'public' } }),
        elsewhere.send({ method: 'DELETE', path: `/v1/members/${accountId}`, key: left.texts[0] }),
        world.send({ method: 'POST', path: '/v1/keys', key: left.texts[n], body: { kind: 'public' } }),
      ]),
    );
    expect(statuses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
  });
});
