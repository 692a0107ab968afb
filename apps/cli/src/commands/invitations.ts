import { allPages } from '../calling/all-pages.ts';
import { done, refused, tableLines } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { textOption } from '../command-line/options.ts';

export const invitationCommands = [
  defineCommand({
    words: 'invitations list',
    summary: 'list the open invitations to administer the project',
    async run({ api }) {
      const invitations = await allPages(api, 'GET /v1/invitations');
      const rows = invitations.map(({ emailAddress, role, expires, mailed }) => [
        emailAddress,
        role,
        expires.slice(0, 16),
        mailed === null ? 'no' : mailed.slice(0, 16),
      ]);
      return done({ invitations }, tableLines([['ADDRESS', 'ROLE', 'UNTIL', 'MAIL WRITTEN'], ...rows]));
    },
  }),
  defineCommand({
    words: 'invitations create',
    operands: 'ADDRESS ROLE',
    summary: 'invite a person, by mail, to administer the project',
    options: { expires: textOption('TIME', 'until when the invitation can be accepted, as RFC 3339') },
    async run({ api, operands: [emailAddress = '', role = ''], options: { expires } }) {
      const invitation = await api.call('POST /v1/invitations', { body: { emailAddress, role, expires } });
      return done({ invitation }, [
        `${invitation.emailAddress} is invited as ${role} until ${invitation.expires}.`,
      ]);
    },
  }),
  defineCommand({
    words: 'invitations withdraw',
    operands: 'ADDRESS',
    summary: 'withdraw an invitation, named by e-mail address or id',
    async run({ api, operands: [who = ''] }) {
      const wanted = who.toLowerCase();
      const found = (await allPages(api, 'GET /v1/invitations')).find(
        ({ id, emailAddress }) => id === who || emailAddress.toLowerCase() === wanted,
      );
      if (!found) throw refused(`${who} is not invited: see \`invitations list\``);
      const params = { invitationId: found.id };
      const invitation = await api.call('DELETE /v1/invitations/{invitationId}', { params });
      return done({ invitation }, [`${invitation.emailAddress} is no longer invited.`]);
    },
  }),
];
