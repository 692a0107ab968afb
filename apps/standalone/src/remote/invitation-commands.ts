import { CommandFault, commandCodes, tableLines } from '../command.ts';
import { allOf } from './all-of.ts';
import type { RemoteCommand } from './remote-command.ts';

interface Invitation {
  readonly id: string;
  readonly emailAddress: string;
  readonly role: string;
  readonly expires: string;
  readonly mailed: string | null;
}

const list: RemoteCommand = {
  ...{ words: 'invitations list', operands: '', fewest: 0, most: 0, options: [] },
  summary: 'who is invited to administer the project',
  async run({ api }) {
    const invitations = await allOf<Invitation>(api, '/v1/invitations');
    const rows = invitations.map(({ emailAddress, role, expires, mailed }) => [
      ...[emailAddress, role, expires.slice(0, 16)],
      mailed === null ? 'no' : mailed.slice(0, 16),
    ]);
    const lines = tableLines([['ADDRESS', 'ROLE', 'UNTIL', 'MAILED'], ...rows]);
    return { code: commandCodes.done, json: { invitations }, lines };
  },
};

const create: RemoteCommand = {
  ...{ words: 'invitations create', operands: 'ADDRESS ROLE', fewest: 2, most: 2, options: ['expires'] },
  summary: 'invite somebody, by mail, to administer the project',
  async run({ api, operands: [emailAddress, role], given: { expires } }) {
    const invitation = await api.call<Invitation>({
      ...{ at: 'console', method: 'POST', path: '/v1/invitations' },
      body: { emailAddress, role, ...(expires !== null && { expires }) },
    });
    const lines = [`${invitation.emailAddress} is invited as ${role} until ${invitation.expires}.`];
    return { code: commandCodes.done, json: { invitation }, lines };
  },
};

const withdraw: RemoteCommand = {
  ...{ words: 'invitations withdraw', operands: 'ADDRESS', fewest: 1, most: 1, options: [] },
  summary: 'withdraw an invitation, by its address or id',
  async run({ api, operands: [who = ''] }) {
    const wanted = who.toLowerCase();
    const found = (await allOf<Invitation>(api, '/v1/invitations')).find(
      ({ id, emailAddress }) => id === who || emailAddress.toLowerCase() === wanted,
    );
    if (!found) {
      throw new CommandFault(`${who} is not invited: see \`invitations list\``, {
        code: commandCodes.refused,
      });
    }
    const path = `/v1/invitations/${found.id}`;
    const invitation = await api.call<Invitation>({ at: 'console', method: 'DELETE', path });
    const lines = [`${invitation.emailAddress} is not invited any more.`];
    return { code: commandCodes.done, json: { invitation }, lines };
  },
};

export const invitationCommands: readonly RemoteCommand[] = [list, create, withdraw];
