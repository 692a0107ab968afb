import { allPages } from '../calling/all-pages.ts';
import type { Api, RowOf } from '../calling/api.ts';
import { done, refused, tableLines } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';

type Member = RowOf<'GET /v1/members'>;

export const memberCommands = [
  defineCommand({
    words: 'members list',
    summary: 'list the administrators of the project with their roles',
    async run({ api }) {
      const members = await allPages(api, 'GET /v1/members');
      const rows = members.map((member) => [member.accountId, member.role, nameOf(member)]);
      return done({ members }, tableLines([['ACCOUNT', 'ROLE', 'WHO'], ...rows]));
    },
  }),
  defineCommand({
    words: 'members roles',
    summary: 'list the roles with their scopes',
    async run({ api }) {
      const { results } = await api.call('GET /v1/roles');
      return done(
        { roles: results },
        tableLines(results.map(({ name, scopes }) => [name, scopes.join(' ')])),
      );
    },
  }),
  defineCommand({
    words: 'members change',
    operands: 'MEMBER ROLE',
    summary: 'change the role of a member, named by account or e-mail address',
    async run({ api, operands: [who = '', role = ''] }) {
      const { accountId, version } = await findMember(api, who);
      const grants = await readGrants(api, accountId, role);
      const member = await api.call('PATCH /v1/members/{accountId}', {
        params: { accountId },
        body: { version, role },
      });
      const limits = `Keys lose the scopes that ${role} does not grant, for good. Invitations and links end that it could not make:`;
      return done({ member, grants }, [`${nameOf(member)} is ${role} now.`, ...grantLines(grants, limits)]);
    },
  }),
  defineCommand({
    words: 'members remove',
    operands: 'MEMBER',
    summary: 'remove a member, named by account or e-mail address, and end their sessions',
    async run({ api, operands: [who = ''] }) {
      const { accountId } = await findMember(api, who);
      const grants = await readGrants(api, accountId);
      const member = await api.call('DELETE /v1/members/{accountId}', { params: { accountId } });
      const limits =
        'Keys still send events and lose every other right. Invitations and links end. Revoke keys that they still know:';
      return done({ member, grants }, [
        `${nameOf(member)} is no longer a member.`,
        ...grantLines(grants, limits),
      ]);
    },
  }),
];

async function findMember(api: Api, who: string): Promise<Member> {
  const members = await allPages(api, 'GET /v1/members');
  const wanted = who.toLowerCase();
  const found = members.find(
    ({ accountId, emailAddress }) => accountId === who || emailAddress?.toLowerCase() === wanted,
  );
  if (found) return found;
  throw refused(`No member is called ${who}: see \`members list\``);
}

type Grants = Awaited<ReturnType<typeof readGrants>>;

/** What the member made that still works, before a change of its role limits it, with what that takes. */
function readGrants(api: Api, accountId: string, role?: string) {
  return api.call('GET /v1/members/{accountId}/grants', { params: { accountId }, query: { role } });
}

function grantLines({ keys, invitations, shares }: Grants, limits: string): string[] {
  const rows = [
    ...keys.map(({ prefix, ending, comment, loses }) => [
      '  key',
      `${prefix}…${ending}`,
      loses.length === 0 ? 'stays' : `loses ${loses.join(' ')}`,
      comment,
    ]),
    ...invitations.map(({ emailAddress, role, ends }) => ['  invitation', emailAddress, fate(ends), role]),
    ...shares.map(({ dashboardName, ends }) => ['  link', dashboardName, fate(ends), '']),
  ];
  return rows.length === 0 ? [] : [limits, ...tableLines(rows)];
}

const fate = (ends: boolean) => (ends ? 'ends' : 'stays');

function nameOf({ emailAddress, displayName, accountId }: Member): string {
  const name = emailAddress ?? accountId;
  return displayName === null ? name : `${name} (${displayName})`;
}
