import Type from 'typebox';
import {
  accountSchema,
  identityListSchema,
  recoveryCodesSchema,
  twoFactorBegunSchema,
} from '../account-answers.ts';
import {
  addressSchema,
  codeSchema,
  mailTokenSchema,
  passwordChangeSchema,
  passwordResetSchema,
  profileChangeSchema,
  resetRequestSchema,
} from '../account-api.ts';
import { defineOperation, type Operation } from './operation.ts';
import { sampleAccount } from './session-examples.ts';

const base = '/2018-03-24';
const done = Type.Literal(true);
const ofAccount = { tag: 'Account', keys: ['session'] } as const;
const byMail = { tag: 'Account', keys: ['public', 'session'] } as const;
const profile = { displayName: 'Bo', avatarUrl: null, locale: 'en' };
const emailAddress = 'bo@example.com';
const password = 'correct horse battery staple';

const readAccount = defineOperation({
  ...ofAccount,
  id: 'readAccount',
  method: 'GET',
  path: `${base}/account`,
  summary: 'Read the account',
  answer: accountSchema,
  examples: [{ name: 'a new account', answer: sampleAccount }],
});

const editAccount = defineOperation({
  ...ofAccount,
  id: 'editAccount',
  method: 'PATCH',
  path: `${base}/account`,
  summary: 'Change the name, the language and the mail settings',
  body: profileChangeSchema,
  bodyOptional: true,
  answer: accountSchema,
  examples: [
    { name: 'a name', body: { displayName: 'Bo', locale: 'en' }, answer: { ...sampleAccount, profile } },
  ],
});

const changeEmail = defineOperation({
  ...ofAccount,
  id: 'changeEmail',
  method: 'PUT',
  path: `${base}/account/email`,
  summary: 'Request a change of the e-mail address',
  description: 'Sends a code to the new address. The address changes when this code is confirmed.',
  body: addressSchema,
  answer: done,
  refusals: ['notPermitted'],
  examples: [{ name: 'an address', body: { emailAddress }, answer: true }],
});

const verifyEmail = defineOperation({
  ...byMail,
  id: 'verifyEmail',
  method: 'POST',
  path: `${base}/account/email/verify`,
  summary: 'Confirm an address with the code from the mail',
  body: mailTokenSchema,
  answer: done,
  refusals: ['tokenInvalid', 'passwordTooWeak', 'credentialsInvalid', 'emailInUse', 'registrationClosed'],
  examples: [{ name: 'a code', body: { token: 'code-of-a-mail' }, answer: true }],
});

const changePassword = defineOperation({
  ...ofAccount,
  id: 'changePassword',
  method: 'PUT',
  path: `${base}/account/password`,
  summary: 'Change the password',
  description: 'Works within 15 minutes of a sign-in. Ends every other session and remembered device.',
  body: passwordChangeSchema,
  answer: done,
  refusals: ['notPermitted', 'credentialsInvalid', 'passwordTooWeak'],
  examples: [{ name: 'the first password', body: { password }, answer: true }],
});

const listIdentities = defineOperation({
  ...ofAccount,
  id: 'listIdentities',
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
});

const unlinkIdentity = defineOperation({
  ...ofAccount,
  id: 'unlinkIdentity',
  method: 'DELETE',
  path: `${base}/account/identities/{id}`,
  summary: 'Unlink a platform',
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  answer: done,
  refusals: ['notPermitted', 'objectNotFound', 'lastCredential'],
  examples: [{ name: 'one', params: { id: '019ab2c4-5d6e-7f80-9123-456789abc333' }, answer: true }],
});

const secret = 'A'.repeat(32);

const beginTwoFactor = defineOperation({
  ...ofAccount,
  id: 'beginTwoFactor',
  method: 'PUT',
  path: `${base}/account/twofactor`,
  summary: 'Start the setup of an authenticator',
  answer: twoFactorBegunSchema,
  refusals: ['notPermitted', 'objectAlreadyExists'],
  examples: [
    {
      name: 'a secret',
      answer: {
        secret,
        otpauthUri: `otpauth://totp/Tickrate:Bo?issuer=Tickrate&secret=${secret}`,
        qrSvg: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
      },
    },
  ],
});

const confirmTwoFactor = defineOperation({
  ...ofAccount,
  id: 'confirmTwoFactor',
  method: 'POST',
  path: `${base}/account/twofactor`,
  summary: 'Confirm the authenticator with its first code',
  body: codeSchema,
  answer: recoveryCodesSchema,
  refusals: [
    'objectNotFound',
    'objectAlreadyExists',
    'twoFactorCodeInvalid',
    'twoFactorCodeUsed',
    'tooManyTwoFactorAttempts',
  ],
  examples: [
    {
      name: 'a code',
      body: { twoFactorCode: '123456' },
      answer: {
        recoveryCodes: Array.from({ length: 10 }, (_, n) => `aaaa-bbbb-cccc-ddd${'abcdefghij'.charAt(n)}`),
      },
    },
  ],
});

const removeTwoFactor = defineOperation({
  ...ofAccount,
  id: 'removeTwoFactor',
  method: 'DELETE',
  path: `${base}/account/twofactor`,
  summary: 'Remove the authenticator',
  answer: done,
  refusals: ['notPermitted'],
  examples: [{ name: 'it', answer: true }],
});

const requestPasswordReset = defineOperation({
  ...byMail,
  id: 'requestPasswordReset',
  method: 'POST',
  path: `${base}/password/reset`,
  summary: 'Request a mail to reset the password',
  description:
    'The answer does not show whether an account has this address. If both a player and an administrator have it, the player is used; send `requestedRole` "builtin:admin" to select the administrator.',
  body: resetRequestSchema,
  answer: done,
  examples: [
    { name: 'an address', body: { emailAddress }, answer: true },
    { name: 'an administrator', body: { emailAddress, requestedRole: 'builtin:admin' }, answer: true },
  ],
});

const resetPassword = defineOperation({
  ...byMail,
  id: 'resetPassword',
  method: 'PUT',
  path: `${base}/password/reset`,
  summary: 'Set a new password with the code from the mail',
  description: 'Ends every session of the account.',
  body: passwordResetSchema,
  answer: done,
  refusals: ['tokenInvalid', 'passwordTooWeak'],
  examples: [{ name: 'a code', body: { token: 'code-of-a-reset', password }, answer: true }],
});

export const accountOperations: readonly Operation[] = [
  readAccount,
  editAccount,
  changeEmail,
  verifyEmail,
  changePassword,
  listIdentities,
  unlinkIdentity,
  beginTwoFactor,
  confirmTwoFactor,
  removeTwoFactor,
  requestPasswordReset,
  resetPassword,
];
