import { codeSchema, defineOperation, recoveryCodesSchema, twoFactorBegunSchema } from '@tickrate/contract';
import Type from 'typebox';

const path = '/2018-03-24/account/twofactor';
const ofAccount = { tag: 'Account', keys: ['session'] } as const;
const secret = 'A'.repeat(32);

export const beginTwoFactor = defineOperation({
  ...ofAccount,
  id: 'beginTwoFactor',
  method: 'PUT',
  path,
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

export const confirmTwoFactor = defineOperation({
  ...ofAccount,
  id: 'confirmTwoFactor',
  method: 'POST',
  path,
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

export const removeTwoFactor = defineOperation({
  ...ofAccount,
  id: 'removeTwoFactor',
  method: 'DELETE',
  path,
  summary: 'Remove the authenticator',
  answer: Type.Literal(true),
  refusals: ['notPermitted'],
  examples: [{ name: 'it', answer: true }],
});
