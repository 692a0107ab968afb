import { closedObject, operationsOf } from '@tickrate/contract';
import Type from 'typebox';
import { editVersion, projectId, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';
import { newKeySchema } from '../keys/key-operations.ts';
import { erasureMembers } from '../privacy/privacy-operations.ts';

const name = Type.String({ minLength: 1, maxLength: 200 });

export const projectSchema = closedObject({
  id: projectId,
  name,
  testMode: Type.Boolean({
    description: 'Also accepts tokens of the test systems of platforms, for development',
  }),
  created: time,
  version: editVersion,
});

const sample = {
  id: 'p-abcdefghijkm',
  name: 'Kart',
  testMode: false,
  created: '2026-11-21T09:00:00.000Z',
  version: 'W0dOhx3YTxZVhSJG',
};
const params = closedObject({ projectId: Type.String({ maxLength: 100 }) });

const made = { ...sample, id: 'p-bcdefghijkmn', name: 'Kart on ice', version: 'cr4kK0nWT0dRrUmA' };

export const deletionSchema = closedObject({ ...erasureMembers, projectId });
const deletion = {
  id: '019ab2c6-5d6e-7f80-9123-456789abc777',
  projectId: sample.id,
  requestedBy: 'u-abcdefghijklmnopqrst',
  requested: '2026-11-21T09:10:00.000Z',
  state: 'requested',
  fault: null,
  certificate: null,
};

export const projectOperations = operationsOf({ tag: 'Projects', keys: managers })({
  listProjects: {
    method: 'GET',
    path: '/v1/projects',
    summary: 'List projects',
    description:
      'A session sees the projects that its account administers, oldest first; a key sees its own.',
    scope: 'projects:read',
    query: pageQuery({}),
    answer: pageAnswer(projectSchema),
    examples: [{ name: 'all', answer: { results: [sample], next: null } }],
  },
  getProject: {
    method: 'GET',
    path: '/v1/projects/{projectId}',
    summary: 'Get a project',
    description:
      'A key can read its own project; a session, every project in which its account has a role. Other projects return 404, as if they did not exist.',
    scope: 'projects:read',
    params,
    answer: projectSchema,
    refusals: ['objectNotFound'],
    examples: [{ name: 'the current project', params: { projectId: sample.id }, answer: sample }],
  },
  editProject: {
    method: 'PATCH',
    path: '/v1/projects/{projectId}',
    summary: 'Rename the current project, or switch its test mode',
    scope: 'projects:write',
    params,
    body: closedObject({
      version: editVersion,
      name: Type.Optional(name),
      testMode: Type.Optional(Type.Boolean()),
    }),
    answer: projectSchema,
    refusals: ['objectChanged', 'objectNotFound'],
    examples: [
      {
        name: 'another name',
        params: { projectId: sample.id },
        body: { version: sample.version, name: 'Kart 2' },
        answer: { ...sample, name: 'Kart 2', version: 'bq3kK0nWT0dRrUmA' },
      },
    ],
  },
  createProject: {
    method: 'POST',
    path: '/v1/projects',
    summary: 'Create a project',
    description:
      'Also creates a first administrative key with the rights of the caller. Its text is shown only once. Creating a project with a session makes you its owner; switch the session to the project to open it.',
    scope: 'projects:write',
    body: closedObject({ name, testMode: Type.Optional(Type.Boolean()) }),
    answer: closedObject({ project: projectSchema, ...newKeySchema.properties }),
    examples: [
      {
        name: 'another game',
        body: { name: made.name },
        answer: {
          project: made,
          text: `tk_adm_${'2'.repeat(36)}`,
          key: {
            id: '019ab2c6-5d6e-7f80-9123-456789abc666',
            projectId: made.id,
            prefix: 'tk_adm_22222',
            ending: '2222',
            kind: 'administrative',
            comment: 'The first key',
            scopes: ['all:write', 'personal:read'],
            origins: null,
            createdBy: 'key 019ab2c4-0000-7000-8000-000000000001',
            created: sample.created,
            lastUsed: null,
            expires: null,
            revoked: null,
            version: 'dk5kK0nWT0dRrUmA',
          },
        },
      },
    ],
  },
  deleteProject: {
    method: 'POST',
    path: '/v1/projects/{projectId}/deletion',
    summary: 'Delete the current project with everything in it',
    description:
      'Only an owner can do this, with a session and the name of the project. From the answer on, no call finds the project, and its keys ' +
      'are refused within a second. The workers then delete its events, players, sessions, keys, event types, dashboards, quarantine, mails and audit trail, ' +
      'and write a certificate. Sessions of its members continue in the oldest project that they administer. The last project of an installation cannot be deleted.',
    keys: ['session'],
    scope: 'projects:write',
    params,
    body: closedObject({
      name: Type.String({ description: 'The name of the project, as typed by a person' }),
    }),
    answer: deletionSchema,
    refusals: ['notPermitted', 'objectNotFound', 'objectNotEditable'],
    examples: [
      { name: 'as typed', params: { projectId: sample.id }, body: { name: sample.name }, answer: deletion },
    ],
  },
  listDeletedProjects: {
    method: 'GET',
    path: '/v1/deleted-projects',
    summary: 'List deleted projects with their certificates, newest first',
    description:
      'The projects that the account of the session deleted. The owner of the installation sees all.',
    keys: ['session'],
    scope: 'projects:read',
    query: pageQuery({}),
    answer: pageAnswer(deletionSchema),
    examples: [{ name: 'all', answer: { results: [deletion], next: null } }],
  },
});
