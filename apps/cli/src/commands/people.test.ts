import { expect, test } from 'vitest';
import { type Asked, RefusedAnswer, runAgainst } from '../command-harness.ts';

const member = {
  accountId: 'u-1',
  emailAddress: 'Ada@example.com',
  displayName: 'Ada',
  role: 'viewer',
  version: 'v7',
};
const invitation = {
  id: 'i-1',
  emailAddress: 'Bo@example.com',
  role: 'viewer',
  expires: '2026-11-28T09:00:00.000Z',
  mailed: null,
};
const grants = {
  keys: [
    { prefix: 'tk_adm_9Kb3d', ending: 'w3Xz', comment: 'Nightly', loses: ['queries:write', 'keys:read'] },
  ],
  invitations: [{ emailAddress: 'bo@example.com', role: 'viewer', ends: true }],
  shares: [{ dashboardName: 'Board', ends: false }],
};
const made = { project: { id: 'p-1' }, text: 'tk_adm_1', key: { id: 'k-1' } };

function answer({ method, path }: Asked): unknown {
  const one = path.startsWith('/v1/members') ? member : invitation;
  if (/\/grants\b/.test(path)) return grants;
  if (method === 'GET') return { results: [one], next: null };
  return path === '/v1/projects' ? made : one;
}

/** What the command changes, and what it prints. */
async function play(...args: string[]) {
  const { asked, ...outcome } = await runAgainst(answer, args);
  return { changed: asked.filter(({ method }) => method !== 'GET'), ...outcome };
}

test('members are changed and removed by account or e-mail address, with the version that was read', async () => {
  const left = [
    '  key         tk_adm_9Kb3d…w3Xz  loses queries:write keys:read  Nightly',
    '  invitation  bo@example.com     ends                           viewer',
    '  link        Board              stays',
    '',
  ].join('\n');
  for (const who of ['u-1', 'ada@EXAMPLE.com']) {
    expect(await play('members', 'change', who, 'admin')).toMatchObject({
      changed: [{ method: 'PATCH', path: '/v1/members/u-1', body: { version: 'v7', role: 'admin' } }],
      out: `Ada@example.com (Ada) is admin now.\nKeys lose the scopes that admin does not grant, for good. Invitations and links end that it could not make:\n${left}`,
    });
  }
  expect(await play('members', 'remove', 'ada@example.com')).toMatchObject({
    changed: [{ method: 'DELETE', path: '/v1/members/u-1' }],
    out: `Ada@example.com (Ada) is no longer a member.\nKeys still send events and lose every other right. Invitations and links end. Revoke keys that they still know:\n${left}`,
  });
  expect(await play('members', 'remove', 'nobody')).toMatchObject({
    code: 1,
    complaint: expect.stringContaining('No member is called nobody'),
  });
});

test('an invitation is created, and withdrawn by its address', async () => {
  const body = { emailAddress: 'bo@example.com', role: 'viewer', expires: '2026-11-30T00:00:00Z' };
  const args = ['invitations', 'create', body.emailAddress, body.role, '--expires', body.expires];
  expect((await play(...args)).changed).toEqual([{ method: 'POST', path: '/v1/invitations', body }]);
  expect((await play('invitations', 'withdraw', 'BO@example.com')).changed).toEqual([
    { method: 'DELETE', path: '/v1/invitations/i-1' },
  ]);
  const unknown = await play('invitations', 'withdraw', 'i-2');
  expect(unknown).toMatchObject({ code: 1, complaint: expect.stringContaining('i-2 is not invited') });
});

test('the text of the first key of a new project is the first line, for scripts', async () => {
  const { changed, out } = await play('projects', 'create', 'Kart', '--test-mode');
  expect(changed).toEqual([{ method: 'POST', path: '/v1/projects', body: { name: 'Kart', testMode: true } }]);
  expect(out.split('\n')[0]).toBe('tk_adm_1');
});

test('a change whose outcome is unknown says so', async () => {
  const lost = {
    error: 'x',
    code: 6001,
    message: 'Try again later',
    fields: null,
    data: { outcomeUnknown: true },
  };
  const { code, complaint } = await runAgainst(
    ({ method }) => (method === 'GET' ? answer({ method, path: '/v1/keys' }) : new RefusedAnswer(503, lost)),
    ['projects', 'create', 'Kart'],
  );
  expect(code).toBe(69);
  expect(complaint).toContain('6001 Try again later. It may have been done: check before you repeat it');
});

test('a project is deleted with its name only', async () => {
  expect(await play('projects', 'delete', 'p-1')).toMatchObject({
    code: 64,
    changed: [],
    complaint: expect.stringContaining('--name'),
  });
  expect((await play('projects', 'delete', 'p-1', '--name', 'Kart')).changed).toEqual([
    { method: 'POST', path: '/v1/projects/p-1/deletion', body: { name: 'Kart' } },
  ]);
});
