import { expect, test } from 'vitest';
import type { ApiRequest } from './api.ts';
import { runnerAt } from './command-harness.ts';
import { invitationCommands } from './invitation-commands.ts';
import { memberCommands } from './member-commands.ts';
import { projectCommands } from './project-commands.ts';

const commands = [...memberCommands, ...invitationCommands, ...projectCommands];
const member = {
  ...{ accountId: 'u-1', emailAddress: 'Ada@example.com', displayName: 'Ada', role: 'viewer', version: 'v7' },
};
const invitation = {
  ...{ id: 'i-1', emailAddress: 'Bo@example.com', role: 'viewer', expires: '2026-11-28T09:00:00.000Z' },
  mailed: null,
};
const made = { project: { id: 'p-1' }, text: 'tk_adm_1', key: { id: 'k-1' } };
const lists: Readonly<Record<string, unknown[]>> = {
  '/v1/members': [member],
  '/v1/invitations': [invitation],
};

/** What the command changes, and what it says. */
async function play(...words: string[]) {
  const asked: ApiRequest[] = [];
  const call = async <T>(request: ApiRequest): Promise<T> => {
    const { method = 'GET', path } = request;
    if (method === 'GET') return { results: lists[path], next: null } as T;
    asked.push(request);
    const one = path.startsWith('/v1/members') ? member : invitation;
    return (path === '/v1/projects' ? made : one) as T;
  };
  const command = commands.find((each) => each.words === words.slice(0, 2).join(' '));
  const { result } = await runnerAt(0)(command, words.slice(2), { call });
  return { asked: asked.map(({ method, path, body }) => ({ method, path, body })), lines: result?.lines };
}

test('a member is changed and removed by account or address, from what was seen', async () => {
  for (const who of ['u-1', 'ada@EXAMPLE.com']) {
    expect((await play('members', 'change', who, 'admin')).asked).toEqual([
      { method: 'PATCH', path: '/v1/members/u-1', body: { version: 'v7', role: 'admin' } },
    ]);
  }
  expect(await play('members', 'remove', 'ada@example.com')).toEqual({
    asked: [{ method: 'DELETE', path: '/v1/members/u-1', body: undefined }],
    lines: ['Ada@example.com (Ada) is no member any more.'],
  });
  await expect(play('members', 'remove', 'nobody')).rejects.toThrow('No member is called nobody');
});

test('an invitation is made, and withdrawn by its address', async () => {
  const body = { emailAddress: 'bo@example.com', role: 'viewer', expires: '2026-11-30T00:00:00Z' };
  const create = ['invitations', 'create', body.emailAddress, body.role, '--expires', body.expires];
  expect((await play(...create)).asked).toEqual([{ method: 'POST', path: '/v1/invitations', body }]);
  expect((await play('invitations', 'withdraw', 'BO@example.com')).asked).toMatchObject([
    { method: 'DELETE', path: '/v1/invitations/i-1' },
  ]);
  await expect(play('invitations', 'withdraw', 'i-2')).rejects.toThrow('i-2 is not invited');
});

test('the text of the first key of a new project is its first line, for scripts', async () => {
  const { asked, lines } = await play('projects', 'create', 'Kart', '--test-mode');
  expect(asked).toMatchObject([{ path: '/v1/projects', body: { name: 'Kart', testMode: true } }]);
  expect(lines?.[0]).toBe('tk_adm_1');
});
