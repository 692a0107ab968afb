import { closedObject, defineOperation, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { count, recordId, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { refusalSchema } from '../quarantine/quarantine-operations.ts';
import { eventTypeFields, faultSchema } from './event-type-schemas.ts';

const { number, declaration } = eventTypeFields;
const name = 'boss_defeated';
const draft = {
  type: 'object',
  required: ['level'],
  properties: { level: { type: 'integer', minimum: 0 } },
};

const quarantinedSchema = closedObject({
  checked: count,
  passed: count,
  complete: Type.Boolean({ description: 'False if older events match too, which were not checked' }),
  versions: Type.Array(closedObject({ version: number, events: count }), {
    description: 'The version that a replay validates each event against: the one that the event names',
  }),
  refusals: Type.Array(refusalSchema, {
    maxItems: 20,
    description: 'The first events that do not pass, with their first fault',
  }),
});

export const checkDeclaration = defineOperation({
  tag: 'Event types',
  keys: managers,
  id: 'checkDeclaration',
  method: 'POST',
  path: '/v1/event-types/{name}/check',
  summary: 'Check events against a declaration before declaring it',
  description:
    'Declares nothing. `texts` are events as a client would send them. `quarantined` selects rejected events of the type: the newest ' +
    '300, at most 4 MiB and five seconds. Each is checked as a replay would after this declaration, with the version that the event ' +
    'names. `quarantined` also requires the scopes `quarantine:read` and `personal:read`, because faults depend on values.',
  scope: 'eventTypes:read',
  params: closedObject({ name: Type.String({ maxLength: 200 }) }),
  body: closedObject({
    declaration,
    texts: Type.Optional(Type.Array(Type.String({ maxLength: 512 * 1024 }), { minItems: 1, maxItems: 100 })),
    quarantined: Type.Optional(
      closedObject(
        {
          reason: Type.Optional(Type.String({ maxLength: 200 })),
          since: Type.Optional(time),
          until: Type.Optional(time),
          ids: Type.Optional(Type.Array(recordId, { minItems: 1, maxItems: 300 })),
        },
        { description: 'The filter; without members, it matches all of the type' },
      ),
    ),
  }),
  bodyBytes: 1024 * 1024,
  anyText: true,
  answer: closedObject({
    version: Type.Integer({ minimum: 1, description: 'The number that the version would have' }),
    texts: Type.Array(
      closedObject({ valid: Type.Boolean(), errors: Type.Array(faultSchema, { maxItems: 100 }) }),
    ),
    quarantined: orNull(quarantinedSchema),
  }),
  examples: [
    {
      name: 'one event',
      params: { name },
      body: { declaration: draft, texts: ['{"level": -1}'] },
      answer: {
        version: 3,
        texts: [
          {
            valid: false,
            errors: [
              {
                domain: 'event',
                location: '/level',
                locationType: 'body',
                message: 'must be at least 0',
                reason: 'range',
              },
            ],
          },
        ],
        quarantined: null,
      },
    },
    {
      name: 'rejected events',
      params: { name },
      body: { declaration: draft, quarantined: { reason: 'range' } },
      answer: {
        version: 3,
        texts: [],
        quarantined: {
          checked: 0,
          passed: 0,
          complete: true,
          versions: [],
          refusals: [],
        },
      },
    },
  ],
});
