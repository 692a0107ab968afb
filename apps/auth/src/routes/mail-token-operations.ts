import { mailTokenSchema, operationsOf, passwordResetSchema, resetRequestSchema } from '@tickrate/contract';
import Type from 'typebox';

const base = '/2018-03-24';
const done = Type.Literal(true);
const emailAddress = 'bo@example.com';
const password = 'correct horse battery staple';

export const mailTokenOperations = operationsOf({ tag: 'Account', keys: ['public', 'session'] })({
  verifyEmail: {
    method: 'POST',
    path: `${base}/account/email/verify`,
    summary: 'Confirm an address with the code from the mail',
    body: mailTokenSchema,
    answer: done,
    refusals: ['tokenInvalid', 'passwordTooWeak', 'credentialsInvalid', 'emailInUse', 'registrationClosed'],
    examples: [{ name: 'a code', body: { token: 'code-of-a-mail' }, answer: true }],
  },
  requestPasswordReset: {
    method: 'POST',
    path: `${base}/password/reset`,
    summary: 'Request a mail to reset the password',
    description:
      'The answer does not show whether an account has this address. If both a player and an administrator have it, the player is used; send `requestedRole` "builtin:admin" to select the administrator.',
    body: resetRequestSchema,
    answer: done,
    refusals: ['notPermitted'],
    examples: [
      { name: 'an address', body: { emailAddress }, answer: true },
      { name: 'an administrator', body: { emailAddress, requestedRole: 'builtin:admin' }, answer: true },
    ],
  },
  resetPassword: {
    method: 'PUT',
    path: `${base}/password/reset`,
    summary: 'Set a new password with the code from the mail',
    description: 'Ends every session of the account.',
    body: passwordResetSchema,
    answer: done,
    refusals: ['tokenInvalid', 'passwordTooWeak'],
    examples: [{ name: 'a code', body: { token: 'code-of-a-reset', password }, answer: true }],
  },
});
