import { closedObject, operationsOf, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { managers } from '../calls/managed.ts';

const demoSchema = closedObject({
  state: Type.Enum(['notOffered', 'absent', 'arriving', 'live'], {
    description:
      '`notOffered`: no process plays it. `arriving`: the past events are being sent. `live`: games are playing',
  }),
  projectId: orNull(Type.String({ description: 'Null also for callers who do not see it' })),
  isAllowed: Type.Boolean({ description: 'Whether the caller can start and remove it' }),
  sentEvents: Type.Integer({ minimum: 0, description: 'Past events that were sent while `arriving`' }),
  expectedEvents: Type.Integer({ minimum: 0 }),
  tour: Type.Array(
    closedObject({
      id: Type.String({ description: 'For a page with texts of its own' }),
      title: Type.String(),
      text: Type.String(),
      path: Type.String({ description: 'Below the address of the console' }),
    }),
  ),
});

const absent = {
  state: 'absent',
  projectId: null,
  isAllowed: true,
  sentEvents: 0,
  expectedEvents: 0,
  tour: [],
};

export const demoOperations = operationsOf({ path: '/v1/demo', tag: 'Demo', keys: managers })({
  getDemo: {
    method: 'GET',
    scope: 'projects:read',
    summary: 'Read the state of the demo',
    description:
      'The demo is a simulated game in a project of its own, played by a process of its own: by `npm start`, or in containers with the ' +
      'profile `demo`. Only the owner of the installation and callers in that project see its id and its tour.',
    answer: demoSchema,
    examples: [{ name: 'without a demo', answer: { ...absent, state: 'notOffered', isAllowed: false } }],
  },
  startDemo: {
    method: 'POST',
    scope: 'projects:write',
    summary: 'Start the demo',
    description: 'Only the owner of the installation can start it. Does nothing if the demo is there.',
    answer: demoSchema,
    refusals: ['notPermitted'],
    examples: [
      { name: 'offered by npm start', answer: { ...absent, state: 'arriving', projectId: 'p-abcdefghijkm' } },
    ],
  },
  removeDemo: {
    method: 'DELETE',
    scope: 'projects:write',
    summary: 'Remove the demo',
    description:
      'Only the owner of the installation can remove it. Deletes its project, like `deleteProject`.',
    answer: demoSchema,
    refusals: ['notPermitted'],
    examples: [{ name: 'done', answer: absent }],
  },
});
