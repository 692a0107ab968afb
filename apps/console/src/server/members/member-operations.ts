import { closedObject, operationsOf, orNull, scopesOfRole } from '@tickrate/contract';
import Type from 'typebox';
import { editVersion, recordId, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';

export const roleName = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,39}$',
  description: 'owner, admin, analyst, viewer, or a role of the project',
});

export const memberSchema = closedObject({
  accountId: Type.String({ pattern: '^u-[a-z0-9]{20}$' }),
  emailAddress: orNull(Type.String()),
  displayName: orNull(Type.String()),
  role: roleName,
  granted: Type.Unsafe<string>({ ...time, description: 'When the member received this role' }),
  byGroup: Type.Boolean({
    description:
      'Whether a group of the identity provider gives the role, and gives it again at the next sign-in',
  }),
  version: editVersion,
});

export const roleSchema = closedObject({
  name: roleName,
  builtIn: Type.Boolean(),
  scopes: Type.Array(Type.String()),
});

const sample = {
  accountId: 'u-abcdefghijkmnpqrstuv',
  emailAddress: 'ada@example.com',
  displayName: 'Ada',
  role: 'analyst',
  granted: '2026-11-21T09:00:00.000Z',
  byGroup: false,
  version: 'mR0dOhx3YTxZVhSJ',
};
const promoted = { ...sample, role: 'admin', version: 'mS1dOhx3YTxZVhSK' };
const params = closedObject({ accountId: Type.String({ maxLength: 100 }) });

const builtIn = (name: string) => ({ name, builtIn: true, scopes: [...(scopesOfRole(name) ?? [])] });

export const memberOperations = operationsOf({ tag: 'Members', keys: managers })({
  listMembers: {
    method: 'GET',
    path: '/v1/members',
    summary: 'List the administrators of the project, oldest first',
    description: 'The owner of the installation administers every project and is in no list.',
    scope: 'members:read',
    query: pageQuery({}),
    answer: pageAnswer(memberSchema),
    examples: [{ name: 'all', answer: { results: [sample], next: null } }],
  },
  getMember: {
    method: 'GET',
    path: '/v1/members/{accountId}',
    summary: 'Get a member',
    scope: 'members:read',
    params,
    answer: memberSchema,
    refusals: ['objectNotFound'],
    examples: [{ name: 'one', params: { accountId: sample.accountId }, answer: sample }],
  },
  listMemberGrants: {
    method: 'GET',
    path: '/v1/members/{accountId}/grants',
    summary: 'List what a member made that still works',
    description:
      'Its keys and the keys made with them, its open invitations and those of its keys, and its links to dashboards, with what another role or a removal takes from them.',
    scope: 'members:read',
    params,
    query: closedObject({
      role: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'The role that the member would get. Without it: after a removal',
        }),
      ),
    }),
    answer: closedObject({
      keys: Type.Array(
        closedObject({
          id: recordId,
          prefix: Type.String(),
          ending: Type.String(),
          comment: Type.String(),
          kind: Type.Enum(['public', 'administrative']),
          scopes: Type.Array(Type.String()),
          loses: Type.Array(Type.String(), { description: 'The scopes that the change would take' }),
        }),
      ),
      invitations: Type.Array(
        closedObject({ id: recordId, emailAddress: Type.String(), role: roleName, ends: Type.Boolean() }),
      ),
      shares: Type.Array(closedObject({ id: recordId, dashboardName: Type.String(), ends: Type.Boolean() })),
    }),
    refusals: ['objectNotFound'],
    examples: [
      {
        name: 'a key',
        params: { accountId: sample.accountId },
        answer: {
          keys: [
            {
              id: '019ab2c4-5d6e-7f80-9123-456789abcb03',
              prefix: 'tk_adm_9Kb3d',
              ending: 'w3Xz',
              comment: 'Nightly reports',
              kind: 'administrative',
              scopes: ['queries:read'],
              loses: ['queries:read'],
            },
          ],
          invitations: [],
          shares: [],
        },
      },
    ],
  },
  editMember: {
    method: 'PATCH',
    path: '/v1/members/{accountId}',
    summary: 'Change the role of a member',
    description:
      "Takes effect for the member's sessions on every process within a second. A caller cannot give or remove a role with more rights than its own. The role of the last owner cannot change (3002). The keys that the member made, and those made with them, lose the scopes that the new role does not grant, for good. Its open invitations and its links to dashboards end if the new role could not make them.",
    scope: 'members:write',
    params,
    body: closedObject({ version: editVersion, role: roleName }),
    answer: memberSchema,
    refusals: ['notPermitted', 'objectNotFound', 'objectChanged', 'objectNotEditable'],
    examples: [
      {
        name: 'to administrator',
        params: { accountId: sample.accountId },
        body: { version: sample.version, role: promoted.role },
        answer: promoted,
      },
    ],
  },
  removeMember: {
    method: 'DELETE',
    path: '/v1/members/{accountId}',
    summary: 'Remove a member',
    description:
      "Ends the member's sessions of this project on every process within a second. The account and its other projects stay. The last owner cannot be removed (3002). The keys that the member made, and those made with them, lose all scopes: they still send events and can do nothing else. Its open invitations and links to dashboards end. To keep the rights of a key, rotate it before: it then belongs to the caller.",
    scope: 'members:write',
    params,
    answer: memberSchema,
    refusals: ['objectNotFound', 'objectChanged', 'objectNotEditable'],
    examples: [{ name: 'one', params: { accountId: sample.accountId }, answer: promoted }],
  },
  listRoles: {
    method: 'GET',
    path: '/v1/roles',
    summary: 'List the roles of the project',
    description: 'The built-in roles, and the roles in the policy `roles` of the project.',
    scope: 'members:read',
    answer: closedObject(
      { ...pageAnswer(roleSchema).properties, next: Type.Null() },
      { description: 'All roles: the list has one page' },
    ),
    examples: [
      {
        name: 'a project without own roles',
        answer: { results: ['owner', 'admin', 'analyst', 'viewer'].map(builtIn), next: null },
      },
    ],
  },
});
