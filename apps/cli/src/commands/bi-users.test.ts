import { expect, test } from 'vitest';
import { type Asked, runAgainst } from '../command-harness.ts';

const key = (id: string, kind: string, scopes: readonly string[]) => {
  const about = { prefix: 'tk_adm_9Kb3d', ending: 'w3Xz', comment: id, revoked: null, expires: null };
  return { id, projectId: 'p-abcdefghijkm', kind, scopes, ...about };
};
const keys = [
  key('reads', 'administrative', ['queries:read']),
  key('reads-all', 'administrative', ['queries:read', 'personal:read']),
  key('writes', 'administrative', ['queries:read', 'keys:write']),
  key('plays', 'public', []),
];

const answer = ({ method }: Asked) =>
  method === 'GET' ? { results: keys, next: null } : { text: 'tk_adm_1', key: keys[0] };

test('users are the keys that can only query; a new one has no personal data unless it is asked for', async () => {
  const { out } = await runAgainst(answer, ['bi-user', 'list']);
  expect(out.match(/^reads\S*/gm)).toEqual(['reads', 'reads-all']);
  expect(out).not.toMatch(/writes|plays/);
  const made = await runAgainst(answer, ['bi-user', 'create', '--comment', 'Grafana']);
  expect(made.asked[0]?.body).toEqual({
    kind: 'administrative',
    comment: 'Grafana',
    scopes: ['queries:read'],
  });
  expect(made.out).toMatch(/p-abcdefghijkm.*tk_adm_1.*project_p_abcdefghijkm/s);
  const personal = await runAgainst(answer, ['bi-user', 'create', '--personal']);
  expect(personal.asked[0]?.body).toMatchObject({ scopes: ['queries:read', 'personal:read'] });
  const revoked = await runAgainst(answer, ['bi-user', 'revoke', 'reads']);
  expect(revoked.asked).toMatchObject([{ method: 'DELETE', path: '/v1/keys/reads' }]);
});
