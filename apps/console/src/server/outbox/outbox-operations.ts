import { closedObject, defineOperation, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { recordId, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';

export const mailSchema = closedObject({
  id: recordId,
  to: Type.String(),
  subject: Type.String(),
  text: orNull(Type.String()),
  sent: time,
});

export const listOutbox = defineOperation({
  id: 'listOutbox',
  method: 'GET',
  path: '/v1/outbox',
  tag: 'Outbox',
  summary: 'List unsent mails, newest first',
  description:
    'If sign-in has no mail server, mails and their codes are stored here: mails to players of the project, and its invitations. A session of the owner of the installation also shows mails to administrators. `text` is null if the key that sealed it is lost. Fails with 3001 unless the setting `OUTBOX` is on. Use it only for development.',
  keys: managers,
  scope: 'outbox:read',
  query: pageQuery({}),
  answer: pageAnswer(mailSchema),
  refusals: ['objectNotFound'],
  examples: [
    {
      name: 'the newest',
      query: { limit: 1 },
      answer: {
        results: [
          {
            id: '019ab2c8-5d6e-7f80-9123-456789abc999',
            to: 'bo@example.com',
            subject: 'Reset your password',
            text: 'Code: 7a1b2c',
            sent: '2026-11-21T09:14:00.000Z',
          },
        ],
        next: null,
      },
    },
  ],
});
