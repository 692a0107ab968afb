import {
  acceptInvitations,
  changeRole,
  findMember,
  holdRole,
  memberVersion,
  removeMember,
} from '@tickrate/accounts';
import { waitUntil } from '@tickrate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { type Administrator, createAdministrator, openSession } from '../../testing/administrator-harness.ts';
import { createConsoleWorld, startConsoleWorld } from '../../testing/console-harness.ts';

const { world, postgresUrl } = await startConsoleWorld();
/** Another process on the same database. */
const elsewhere = await createConsoleWorld({ postgresUrl });
afterAll(() => elsewhere.close());

function changeTo(role: string, accountId: string, key: string) {
  const path = `/v1/members/${accountId}`;
  return {
    path,
    async send() {
      const { body } = await world.send({ path, key });
      return world.send({ method: 'PATCH', path, key, body: { version: body.version, role } });
    },
  };
}

async function invite(key: string, body: object) {
  return world.send({ method: 'POST', path: '/v1/invitations', key, body });
}

async function inProject(...roles: string[]) {
  const { projectId, key } = await world.project();
  const people: Administrator[] = [];
  for (const [n, role] of roles.entries()) {
    const person = await createAdministrator(world.accounts, { [projectId]: role });
    // Lists compare milliseconds.
    const sql = "UPDATE auth.members SET granted = granted + $2 * interval '1 second' WHERE account_id = $1";
    await world.accounts.query(sql, [person.accountId, n]);
    people.push(person);
  }
  return { projectId, key, people };
}

/** A change without a caller. */
const alone = { by: null, before: async () => undefined, after: async () => undefined };

async function memberOf(projectId: string, accountId: string) {
  const member = await findMember(world.accounts, { projectId, accountId });
  if (member === null) throw new Error('no member');
  return member;
}

// Invariant (Management): A project keeps an owner, even if several step down at once; a role change
// applies to live sessions on every process
test('a project is not created if its owner or its first key cannot be created', async () => {
  const { people } = await inProject('owner');
  const [owner] = people;
  const make = { method: 'POST', path: '/v1/projects', key: owner?.key, body: { name: 'Half made' } };
  for (const table of ['auth.members', 'registry.keys']) {
    await world.accounts.query(`ALTER TABLE ${table} ADD CONSTRAINT none CHECK (false) NOT VALID`);
    expect((await world.send(make)).status).toBe(500);
    await world.accounts.query(`ALTER TABLE ${table} DROP CONSTRAINT none`);
    expect(await world.accounts.query("SELECT id FROM registry.projects WHERE name = 'Half made'")).toEqual(
      [],
    );
  }
  expect((await world.send(make)).status).toBe(200);
});

describe('members', () => {
  test('are listed by pages, and their role decides their rights', async () => {
    const { key, people } = await inProject('owner', 'admin', 'viewer');
    const [owner, admin, viewer] = people;
    const first = await world.send({ path: '/v1/members?limit=2', key });
    const second = await world.send({ path: `/v1/members?limit=2&cursor=${first.body.next}`, key });
    const listed = [...first.body.results, ...second.body.results];
    expect(listed).toMatchObject(
      [owner, admin, viewer].map((each, n) => ({
        accountId: each?.accountId,
        emailAddress: each?.emailAddress,
        role: ['owner', 'admin', 'viewer'][n],
      })),
    );
    expect(second.body.next).toBeNull();
    const seenBy = async (path: string, who = owner) =>
      (await world.send({ path, key: who?.key })).body.code ?? 200;
    expect([await seenBy('/v1/members'), await seenBy('/v1/members', admin)]).toEqual([200, 200]);
    expect([await seenBy('/v1/members', viewer), await seenBy('/v1/event-types', viewer)]).toEqual([
      2006, 200,
    ]);
  });

  test('a change or removal takes effect for live sessions on every process', async () => {
    const { projectId, people } = await inProject('owner', 'admin');
    const other = await world.project();
    const [owner, admin] = people;
    if (!owner || !admin) throw new Error('nobody');
    const { accountId } = admin;
    const apart = await openSession(world.accounts, { accountId, projectId: other.projectId, role: 'admin' });
    const codes = () =>
      Promise.all(
        [world, elsewhere].map(
          async ({ send }) => (await send({ path: '/v1/keys', key: admin.key })).body.code,
        ),
      );
    const until = (code: number) =>
      waitUntil(async () => (await codes()).every((each) => each === code), {
        what: `${code} on both`,
      });
    expect(await codes()).toEqual([undefined, undefined]);
    expect((await changeTo('viewer', accountId, owner.key).send()).body.role).toBe('viewer');
    await until(2006);
    const path = `/v1/members/${accountId}`;
    expect((await world.send({ method: 'DELETE', path, key: owner.key })).body.role).toBe('viewer');
    await until(2004);
    expect((await world.send({ path, key: owner.key })).body.code).toBe(3001);
    expect((await elsewhere.send({ path: '/v1/keys', key: apart })).status).toBe(200);
    expect((await world.send({ path: '/v1/audit', key: owner.key })).body.results).toMatchObject([
      { act: 'removeMember', actor: owner.accountId, details: { accountId }, outcome: 'done' },
      { act: 'editMember', details: { accountId, role: 'viewer' }, outcome: 'done' },
    ]);
    expect(projectId).not.toBe(other.projectId);
  });

  test('the last owner cannot step down', async () => {
    const { key, people } = await inProject('owner', 'admin');
    const path = `/v1/members/${people[0]?.accountId}`;
    const demoted = await changeTo('admin', people[0]?.accountId ?? '', key).send();
    expect([demoted.status, demoted.body.code]).toEqual([409, 3002]);
    expect((await world.send({ method: 'DELETE', path, key })).body.code).toBe(3002);
    expect((await changeTo('owner', people[1]?.accountId ?? '', key).send()).status).toBe(200);
    expect((await world.send({ method: 'DELETE', path, key })).status).toBe(200);
  });

  test('one of several owners who step down together stays, also if all others are banned', async () => {
    for (let round = 0; round < 3; round++) {
      const { projectId, people } = await inProject('owner', 'owner', 'owner');
      const steps = people.map(async ({ accountId }, n) => {
        const version = memberVersion(await memberOf(projectId, accountId));
        const change = { projectId, accountId, version, nowMs: Date.now(), ...alone };
        return n % 2 === 0
          ? removeMember(world.accounts, change)
          : changeRole(world.accounts, { ...change, role: 'viewer' });
      });
      const outcomes = await Promise.all(steps.map((step) => step.catch(({ reason }) => reason)));
      expect(outcomes.filter((outcome) => outcome === 'objectNotEditable')).toHaveLength(1);
    }
    const { projectId, people } = await inProject('owner', 'owner');
    const [shut, last] = people;
    await world.accounts.query('UPDATE auth.accounts SET banned = now() WHERE id = $1', [shut?.accountId]);
    const accountId = last?.accountId ?? '';
    const version = memberVersion(await memberOf(projectId, accountId));
    const removal = { projectId, accountId, version, nowMs: Date.now(), ...alone };
    await expect(removeMember(world.accounts, removal)).rejects.toMatchObject({
      reason: 'objectNotEditable',
    });
  });

  test('an account can be erased even if it is the last owner', async () => {
    const { projectId, people } = await inProject('owner');
    const accountId = people[0]?.accountId ?? '';
    await world.accounts.query("SELECT auth.erase_account($1, 'installation')", [accountId]);
    expect(await findMember(world.accounts, { projectId, accountId })).toBeNull();
  });

  test('removing a role also ends a session that is being opened with it', async () => {
    const { projectId, people } = await inProject('owner', 'admin');
    const accountId = people[1]?.accountId ?? '';
    const version = memberVersion(await memberOf(projectId, accountId));
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const opening = world.accounts.transaction(async (tx) => {
      const role = await holdRole(tx, { accountId, projectId });
      held.resolve();
      await release.promise;
      return role;
    });
    await held.promise;
    let removed = false;
    const removing = removeMember(world.accounts, {
      projectId,
      accountId,
      version,
      nowMs: Date.now(),
      ...alone,
    });
    void removing.then(() => (removed = true));
    await waitUntil(
      async () =>
        (
          await elsewhere.accounts.query(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          )
        ).length > 0,
      { what: 'a caller that waits' },
    );
    expect(removed).toBe(false);
    release.resolve();
    expect([await opening, (await removing).role]).toEqual(['admin', 'admin']);
    expect(await holdRole(world.accounts, { accountId, projectId })).toBeNull();
  });

  test('an edit succeeds only with the latest version', async () => {
    const { key, people } = await inProject('owner', 'viewer');
    const path = `/v1/members/${people[1]?.accountId}`;
    const { version } = (await world.send({ path, key })).body;
    const edit = (role: string) => world.send({ method: 'PATCH', path, key, body: { version, role } });
    expect((await edit('analyst')).body.role).toBe('analyst');
    expect((await edit('admin')).body.code).toBe(3004);
  });
});

describe('no caller', () => {
  const custom = { auditor: { scopes: ['audit:read'] }, deputy: { scopes: ['all:write'] } };

  async function withRoles(key: string, roles: object) {
    const path = '/v1/policies/roles';
    const { version } = (await world.send({ path, key })).body;
    return world.send({ method: 'PUT', path, key, body: { version, value: { roles } } });
  }

  test('gives or removes a role with more rights than its own', async () => {
    const { key, people } = await inProject('owner', 'admin', 'viewer');
    const [owner, admin, viewer] = people.map(({ accountId }) => accountId);
    expect((await withRoles(key, custom)).status).toBe(200);
    const adminKey = people[1]?.key ?? '';
    const codeOf = async (role: string, accountId = '') =>
      (await changeTo(role, accountId, adminKey).send()).body.code;
    expect(await codeOf('owner', viewer)).toBe(2006);
    expect(await codeOf('deputy', viewer)).toBe(2006);
    expect(await codeOf('admin', owner)).toBe(2006);
    expect(await codeOf('nobody', viewer)).toBe(1003);
    expect(await codeOf('auditor', viewer)).toBeUndefined();
    const remove = { method: 'DELETE', path: `/v1/members/${owner}`, key: adminKey };
    expect((await world.send(remove)).body.code).toBe(2006);
    expect((await invite(adminKey, { emailAddress: 'x@example.com', role: 'deputy' })).body.code).toBe(2006);
    const asOwner = await invite(key, { emailAddress: 'x@example.com', role: 'owner' });
    const withdraw = { method: 'DELETE', path: `/v1/invitations/${asOwner.body.id}` };
    expect((await world.send({ ...withdraw, key: adminKey })).body.code).toBe(2006);
    expect((await world.send({ ...withdraw, key })).status).toBe(200);
    expect(admin).not.toBe(owner);
  });

  test('changes a role with more rights than its own, but can send it unchanged', async () => {
    const { key, people } = await inProject('owner', 'admin');
    await withRoles(key, custom);
    const adminKey = people[1]?.key ?? '';
    const { auditor, deputy } = custom;
    expect((await withRoles(adminKey, { auditor })).body.code).toBe(2006);
    expect((await withRoles(adminKey, { auditor, deputy: { scopes: [] } })).body.code).toBe(2006);
    expect((await withRoles(adminKey, { auditor: { scopes: ['all:read'] }, deputy })).body.code).toBe(2006);
    expect((await withRoles(adminKey, { auditor: { scopes: ['keys:read'] }, deputy })).status).toBe(200);
    const roles = (await world.send({ path: '/v1/roles', key })).body.results;
    expect(roles.slice(4)).toEqual([
      { name: 'auditor', builtIn: false, scopes: ['keys:read'] },
      { name: 'deputy', builtIn: false, scopes: ['all:write'] },
    ]);
  });
});

describe('an invitation', () => {
  test('is open once per address, and is listed until it is accepted or withdrawn', async () => {
    const { key, people } = await inProject('owner');
    const to = (emailAddress: string, more = {}) => invite(key, { emailAddress, role: 'viewer', ...more });
    const made = (await to(' Guest@Example.com ')).body;
    expect(made).toMatchObject({ emailAddress: 'Guest@Example.com', role: 'viewer', mailed: null });
    expect((await to('guest@example.com')).body).toMatchObject({
      code: 3003,
      fields: expect.stringContaining('send that one again, or withdraw it'),
      data: { objectType: 'invitation' },
    });
    expect((await to(people[0]?.emailAddress ?? '')).body.data.objectType).toBe('member');
    expect((await to('no address')).body.code).toBe(1003);
    for (const days of [-1, 31]) {
      const expires = new Date(Date.now() + days * 24 * 3_600_000).toISOString();
      expect((await to('late@example.com', { expires })).body.data.parameterName).toBe('expires');
    }
    const listed = async () => (await world.send({ path: '/v1/invitations', key })).body.results;
    expect(await listed()).toEqual([made]);
    const withdraw = { method: 'DELETE', path: `/v1/invitations/${made.id}`, key };
    expect((await world.send(withdraw)).body).toEqual(made);
    expect((await world.send(withdraw)).body.code).toBe(3001);
    expect([await listed(), (await to('guest@example.com')).status]).toEqual([[], 200]);
    expect(JSON.stringify((await world.send({ path: '/v1/audit', key })).body)).not.toContain('uest@');
  });

  test('makes the owner of the address a member, and keeps an existing role', async () => {
    const { projectId, key } = await world.project();
    const other = await world.project();
    const guest = await createAdministrator(world.accounts, { [other.projectId]: 'owner' });
    await invite(key, { emailAddress: guest.emailAddress.toUpperCase(), role: 'viewer' });
    await acceptInvitations(world.accounts, guest.accountId, Date.now());
    expect((await world.send({ path: '/v1/members', key })).body.results).toMatchObject([
      { accountId: guest.accountId, role: 'viewer' },
    ]);
    expect((await world.send({ path: '/v1/invitations', key })).body.results).toEqual([]);
    expect(projectId).not.toBe(other.projectId);
  });

  test('is limited in number per project', async () => {
    const { projectId, key } = await world.project();
    await world.accounts.query(
      `INSERT INTO auth.invitations (id, email, email_folded, project_id, role, invited_by, created, expires)
       SELECT gen_random_uuid(), n || '@example.com', n || '@example.com', $1, 'viewer', 'test', now(), now() + interval '1 day'
         FROM generate_series(1, 200) AS n`,
      [projectId],
    );
    const { body } = await invite(key, { emailAddress: 'one-more@example.com', role: 'viewer' });
    expect([body.code, body.data.objectNotEditableReason]).toEqual([3002, 'too many open invitations']);
  });
});

describe('projects of an administrator', () => {
  test('are those with a role, and those that they create', async () => {
    const first = await world.project();
    const second = await world.project();
    const foreign = await world.project();
    // Lists compare milliseconds.
    const sql = "UPDATE registry.projects SET created = created - $2 * interval '1 second' WHERE id = $1";
    await world.accounts.query(sql, [first.projectId, 2]);
    await world.accounts.query(sql, [second.projectId, 1]);
    const roles = { [first.projectId]: 'admin', [second.projectId]: 'viewer' };
    const { key, accountId } = await createAdministrator(world.accounts, roles);
    const made = await world.send({ method: 'POST', path: '/v1/projects', key, body: { name: 'Mine' } });
    const mine = made.body.project.id;
    const ids: string[] = [];
    for (let path: string | null = '/v1/projects?limit=2'; path !== null; ) {
      const { body }: { body: { results: { id: string }[]; next: string | null } } = await world.send({
        path,
        key,
      });
      ids.push(...body.results.map(({ id }) => id));
      path = body.next === null ? null : `/v1/projects?limit=2&cursor=${body.next}`;
    }
    expect(ids).toEqual([first.projectId, second.projectId, mine]);
    expect((await memberOf(mine, accountId)).role).toBe('owner');
    expect((await world.send({ path: `/v1/projects/${second.projectId}`, key })).body.id).toBe(
      second.projectId,
    );
    const ask = async (id: string) => {
      const { status, body } = await world.send({ path: `/v1/projects/${id}`, key });
      return { status, code: body.code, message: body.message, members: Object.keys(body.data) };
    };
    expect(await ask(foreign.projectId)).toEqual(await ask('p-aaaaaaaaaaaa'));
    expect((await ask(foreign.projectId)).code).toBe(3001);
  });

  test('are all projects for the owner of the installation, without membership', async () => {
    const { projectId, people } = await inProject('owner', 'viewer');
    const { accountId = '', key = '' } = people[1] ?? {};
    await world.accounts.query('UPDATE auth.accounts SET owns_installation = true WHERE id = $1', [
      accountId,
    ]);
    const foreign = await world.project();
    expect((await world.send({ path: `/v1/projects/${foreign.projectId}`, key })).status).toBe(200);
    const version = memberVersion(await memberOf(projectId, accountId));
    await removeMember(world.accounts, { projectId, accountId, version, nowMs: Date.now(), ...alone });
    expect((await world.send({ path: '/v1/event-types', key })).status).toBe(200);
    expect(await holdRole(world.accounts, { accountId, projectId })).toBe('owner');
    await world.accounts.query('UPDATE auth.accounts SET owns_installation = false WHERE id = $1', [
      accountId,
    ]);
  });
});
