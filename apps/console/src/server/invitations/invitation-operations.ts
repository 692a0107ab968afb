import { closedObject, operationsOf, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { recordId, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';
import { roleName } from '../members/member-operations.ts';

export const invitationSchema = closedObject({
  id: recordId,
  emailAddress: Type.String(),
  role: roleName,
  invitedBy: Type.String({ description: 'The id of an account, or `key …`' }),
  created: time,
  expires: time,
  mailed: orNull(
    Type.String({
      format: 'date-time',
      description:
        'When the mail server accepted the mail, or the outbox kept it because there is no mail server; null before that',
    }),
  ),
});

const sample = {
  id: '019ab2c7-5d6e-7f80-9123-456789abc777',
  emailAddress: 'bo@example.com',
  role: 'viewer',
  invitedBy: 'key 019ab2c4-0000-7000-8000-000000000001',
  created: '2026-11-21T09:00:00.000Z',
  expires: '2026-11-28T09:00:00.000Z',
  mailed: null,
};
const params = closedObject({ invitationId: Type.String({ maxLength: 100 }) });

export const invitationOperations = operationsOf({ tag: 'Members', keys: managers })({
  inviteMember: {
    method: 'POST',
    path: '/v1/invitations',
    summary: 'Invite an administrator to the project',
    description:
      'Sends a mail. A user who signs in as an administrator with that address becomes a member with the role; the user can register for it. An address can have one open invitation to a project (3003), and a project at most 200 (3002). A caller cannot invite to a role with more rights than its own.',
    scope: 'members:write',
    body: closedObject({
      emailAddress: Type.String({ minLength: 3, maxLength: 254 }),
      role: roleName,
      expires: Type.Optional(
        Type.String({ format: 'date-time', description: 'At most 30 days from now. The default is 7 days' }),
      ),
    }),
    answer: invitationSchema,
    refusals: ['notPermitted', 'objectAlreadyExists', 'objectNotEditable'],
    examples: [
      {
        name: 'with read access',
        body: { emailAddress: sample.emailAddress, role: sample.role },
        answer: sample,
      },
    ],
  },
  listInvitations: {
    method: 'GET',
    path: '/v1/invitations',
    summary: 'List open invitations, newest first',
    scope: 'members:read',
    query: pageQuery({}),
    answer: pageAnswer(invitationSchema),
    examples: [{ name: 'all', answer: { results: [sample], next: null } }],
  },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/v1/invitations/{invitationId}',
    summary: 'Withdraw an invitation',
    description: 'An accepted invitation is not found: remove the member instead.',
    scope: 'members:write',
    params,
    answer: invitationSchema,
    refusals: ['objectNotFound'],
    examples: [{ name: 'one', params: { invitationId: sample.id }, answer: sample }],
  },
});
