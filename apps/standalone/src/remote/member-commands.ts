import { CommandFault, commandCodes, tableLines } from '../command.ts';
import { allOf } from './all-of.ts';
import type { Api } from './api.ts';
import type { RemoteCommand } from './remote-command.ts';

interface Member {
  readonly accountId: string;
  readonly emailAddress: string | null;
  readonly displayName: string | null;
  readonly role: string;
  readonly version: string;
}

interface Role {
  readonly name: string;
  readonly scopes: readonly string[];
}

const list: RemoteCommand = {
  ...{ words: 'members list', operands: '', fewest: 0, most: 0, options: [] },
  summary: 'who administers the project, and in which role',
  async run({ api }) {
    const members = await allOf<Member>(api, '/v1/members');
    const rows = members.map((member) => [member.accountId, member.role, nameOf(member)]);
    const lines = tableLines([['ACCOUNT', 'ROLE', 'WHO'], ...rows]);
    return { code: commandCodes.done, json: { members }, lines };
  },
};

const roles: RemoteCommand = {
  ...{ words: 'members roles', operands: '', fewest: 0, most: 0, options: [] },
  summary: 'the roles that there are, and what each may do',
  async run({ api }) {
    const { results: found } = await api.call<{ results: Role[] }>({ at: 'console', path: '/v1/roles' });
    const rows = found.map(({ name, scopes }) => [name, scopes.join(' ')]);
    return { code: commandCodes.done, json: { roles: found }, lines: tableLines(rows) };
  },
};

const change: RemoteCommand = {
  ...{ words: 'members change', operands: 'MEMBER ROLE', fewest: 2, most: 2, options: [] },
  summary: 'give a member, by account or address, another role',
  async run({ api, operands: [who = '', role = ''] }) {
    const { accountId, version } = await memberCalled(api, who);
    const member = await api.call<Member>({
      ...{ at: 'console', method: 'PATCH', path: `/v1/members/${accountId}` },
      body: { version, role },
    });
    return { code: commandCodes.done, json: { member }, lines: [`${nameOf(member)} is ${role} now.`] };
  },
};

const remove: RemoteCommand = {
  ...{ words: 'members remove', operands: 'MEMBER', fewest: 1, most: 1, options: [] },
  summary: 'end a membership, by account or address, and its sessions',
  async run({ api, operands: [who = ''] }) {
    const { accountId } = await memberCalled(api, who);
    const path = `/v1/members/${accountId}`;
    const member = await api.call<Member>({ at: 'console', method: 'DELETE', path });
    return { code: commandCodes.done, json: { member }, lines: [`${nameOf(member)} is no member any more.`] };
  },
};

export const memberCommands: readonly RemoteCommand[] = [list, roles, change, remove];

async function memberCalled(api: Api, who: string): Promise<Member> {
  const members = await allOf<Member>(api, '/v1/members');
  const wanted = who.toLowerCase();
  const found = members.find(
    ({ accountId, emailAddress }) => accountId === who || emailAddress?.toLowerCase() === wanted,
  );
  if (found) return found;
  throw new CommandFault(`No member is called ${who}: see \`members list\``, { code: commandCodes.refused });
}

function nameOf({ emailAddress, displayName, accountId }: Member): string {
  const name = emailAddress ?? accountId;
  return displayName === null ? name : `${name} (${displayName})`;
}
