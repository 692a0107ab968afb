import { accountErasedSchema, accountExportSchema, defineOperation, erasureSchema } from '@tickrate/contract';
import Type from 'typebox';
import { sampleErasure, sampleExport } from '../document/session-examples.ts';

const base = '/2018-03-24';

export const exportAccount = defineOperation({
  tag: 'Privacy',
  keys: ['session'],
  id: 'exportAccount',
  method: 'POST',
  path: `${base}/account/export`,
  summary: 'Export all data of the account',
  description:
    'Returns one streamed JSON document. `complete` is its last member. Without it, the document is incomplete.',
  answer: accountExportSchema,
  examples: [{ name: 'a new account', answer: sampleExport }],
});

export const eraseAccount = defineOperation({
  tag: 'Privacy',
  keys: ['session'],
  id: 'eraseAccount',
  method: 'DELETE',
  path: `${base}/account`,
  summary: 'Delete the account and erase its events',
  answer: accountErasedSchema,
  refusals: ['notPermitted', 'objectNotEditable'],
  examples: [
    {
      name: 'it',
      answer: {
        removed: {
          accounts: 1,
          identities: 1,
          sessions: 1,
          keys: 1,
          passwords: 0,
          totps: 0,
          recovery_codes: 0,
          known_devices: 0,
          mails: 0,
          auditEntriesMadeAnonymous: 3,
        },
        erasures: [sampleErasure],
      },
    },
  ],
});

export const readErasure = defineOperation({
  tag: 'Privacy',
  keys: ['public', 'session'],
  id: 'readErasure',
  method: 'GET',
  path: `${base}/account/erasure/{id}`,
  summary: 'Read the progress of an erasure and its certificate',
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  answer: erasureSchema,
  refusals: ['objectNotFound'],
  examples: [
    {
      name: 'right after the request',
      params: { id: sampleErasure.id },
      answer: { id: sampleErasure.id, state: 'requested', certificate: null },
    },
  ],
});
