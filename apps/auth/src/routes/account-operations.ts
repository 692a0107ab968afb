import {
  accountSchema,
  addressSchema,
  identityListSchema,
  operationsOf,
  passwordChangeSchema,
  profileChangeSchema,
} from '@tickrate/contract';
import Type from 'typebox';
import { sampleAccount } from '../document/session-examples.ts';

const base = '/2018-03-24';
const done = Type.Literal(true);
const profile = { displayName: 'Bo', avatarUrl: null, locale: 'en' };
const emailAddress = 'bo@example.com';
const password = 'correct horse battery staple';

export const accountOperations = operationsOf({ tag: 'Account', keys: ['session'] })({
  readAccount: {
    method: 'GET',
    path: `${base}/account`,
    summary: 'Read the account',
    answer: accountSchema,
    examples: [{ name: 'a new account', answer: sampleAccount }],
  },
  editAccount: {
    method: 'PATCH',
    path: `${base}/account`,
    summary: 'Change the name, the language and the mail settings',
    body: profileChangeSchema,
    answer: accountSchema,
    examples: [
      { name: 'a name', body: { displayName: 'Bo', locale: 'en' }, answer: { ...sampleAccount, profile } },
    ],
  },
  changeEmail: {
    method: 'PUT',
    path: `${base}/account/email`,
    summary: 'Request a change of the e-mail address',
    description:
      'Sends a code to the new address. The address changes when this code is confirmed. If the account has a confirmed address, and the session was opened without its second factor, the first code goes to that address; confirm it to get the second one at the new address.',
    body: addressSchema,
    answer: done,
    refusals: ['notPermitted'],
    examples: [{ name: 'an address', body: { emailAddress }, answer: true }],
  },
  changePassword: {
    method: 'PUT',
    path: `${base}/account/password`,
    summary: 'Change the password',
    description: 'Works within 15 minutes of a sign-in. Ends every other session and remembered device.',
    body: passwordChangeSchema,
    answer: done,
    refusals: ['notPermitted', 'credentialsInvalid', 'passwordTooWeak'],
    examples: [{ name: 'the first password', body: { password }, answer: true }],
  },
  listIdentities: {
    method: 'GET',
    path: `${base}/account/identities`,
    summary: 'List the linked platforms',
    answer: identityListSchema,
    examples: [
      {
        name: 'one',
        answer: {
          identities: [
            {
              id: '019ab2c4-5d6e-7f80-9123-456789abc333',
              provider: 'deviceTest',
              displayName: null,
              linked: 1_795_238_674,
            },
          ],
        },
      },
    ],
  },
  unlinkIdentity: {
    method: 'DELETE',
    path: `${base}/account/identities/{id}`,
    summary: 'Unlink a platform',
    params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
    answer: done,
    refusals: ['notPermitted', 'objectNotFound', 'lastCredential'],
    examples: [{ name: 'one', params: { id: '019ab2c4-5d6e-7f80-9123-456789abc333' }, answer: true }],
  },
});
