import { defineOperation } from '@tickrate/contract';
import Type from 'typebox';
import { closed, orNull, recordId, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';

export const mailSchema = Type.Object(
  { id: recordId, to: Type.String(), subject: Type.String(), text: orNull(Type.String()), sent: time },
  closed,
);

export const listOutbox = defineOperation({
  id: 'listOutbox',
  method: 'GET',
  path: '/v1/outbox',
  tag: 'Outbox',
  summary: 'See the mails that were not sent, newest first',
  description:
    'While sign-in has no mail server, mails are kept here with the codes in them: those to players of the project and its invitations; who owns the installation sees by a session those to administrators too. `text` is null where the key that sealed it has gone. 3001 unless the setting `OUTBOX` is on, which is for development.',
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
