import { defineOperation, scopesOfRole } from '@tickrate/contract';
import Type from 'typebox';
import { closed, editVersion, orNull, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';

export const roleName = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,39}$',
  description: 'owner, admin, analyst, viewer, or a role of the project',
});

export const memberSchema = Type.Object(
  {
    accountId: Type.String({ pattern: '^u-[a-z0-9]{20}$' }),
    emailAddress: orNull(Type.String()),
    displayName: orNull(Type.String()),
    role: roleName,
    granted: Type.Unsafe<string>({ ...time, description: 'When this role was given' }),
    version: editVersion,
  },
  closed,
);

export const roleSchema = Type.Object(
  { name: roleName, builtIn: Type.Boolean(), scopes: Type.Array(Type.String()) },
  closed,
);

const sample = {
  accountId: 'u-abcdefghijkmnpqrstuv',
  emailAddress: 'ada@example.com',
  displayName: 'Ada',
  role: 'analyst',
  granted: '2026-11-21T09:00:00.000Z',
  version: 'mR0dOhx3YTxZVhSJ',
};
const promoted = { ...sample, role: 'admin', version: 'mS1dOhx3YTxZVhSK' };
const params = Type.Object({ accountId: Type.String({ maxLength: 100 }) }, closed);
const base = { tag: 'Members', keys: managers } as const;

export const listMembers = defineOperation({
  ...base,
  id: 'listMembers',
  method: 'GET',
  path: '/v1/members',
  summary: 'List who administers the project, longest first',
  description: 'Who owns the installation administers every project and is in no list.',
  scope: 'members:read',
  query: pageQuery({}),
  answer: pageAnswer(memberSchema),
  examples: [{ name: 'all', answer: { results: [sample], next: null } }],
});

export const getMember = defineOperation({
  ...base,
  id: 'getMember',
  method: 'GET',
  path: '/v1/members/{accountId}',
  summary: 'Get a member',
  scope: 'members:read',
  params,
  answer: memberSchema,
  refusals: ['objectNotFound'],
  examples: [{ name: 'one', params: { accountId: sample.accountId }, answer: sample }],
});

export const editMember = defineOperation({
  ...base,
  id: 'editMember',
  method: 'PATCH',
  path: '/v1/members/{accountId}',
  summary: 'Give a member another role',
  description:
    "In force for the member's sessions on every process within a second. Nobody gives, or takes away, a role that may do more than they may. The last owner stays one (3002).",
  scope: 'members:write',
  params,
  body: Type.Object({ version: editVersion, role: roleName }, closed),
  answer: memberSchema,
  refusals: ['notPermitted', 'objectNotFound', 'objectChanged', 'objectNotEditable'],
  examples: [
    {
      name: 'may manage from now on',
      params: { accountId: sample.accountId },
      body: { version: sample.version, role: promoted.role },
      answer: promoted,
    },
  ],
});

export const removeMember = defineOperation({
  ...base,
  id: 'removeMember',
  method: 'DELETE',
  path: '/v1/members/{accountId}',
  summary: 'Remove a member',
  description:
    "Ends the member's sessions of this project, everywhere within a second; the account and its other projects stay. The last owner stays too (3002).",
  scope: 'members:write',
  params,
  answer: memberSchema,
  refusals: ['objectNotFound', 'objectChanged', 'objectNotEditable'],
  examples: [{ name: 'one', params: { accountId: sample.accountId }, answer: promoted }],
});

const builtIn = (name: string) => ({ name, builtIn: true, scopes: [...(scopesOfRole(name) ?? [])] });

export const listRoles = defineOperation({
  ...base,
  id: 'listRoles',
  method: 'GET',
  path: '/v1/roles',
  summary: 'List the roles that members can have',
  description: "The built-in ones and the project's own, which are the policy `roles`.",
  scope: 'members:read',
  answer: Type.Object(
    { ...pageAnswer(roleSchema).properties, next: Type.Null() },
    { ...closed, description: 'All of them: there is no other page' },
  ),
  examples: [
    {
      name: 'of a project without its own',
      answer: { results: ['owner', 'admin', 'analyst', 'viewer'].map(builtIn), next: null },
    },
  ],
});
