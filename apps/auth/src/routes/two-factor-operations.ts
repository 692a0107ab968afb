import {
  codeSchema,
  mailedCodeSchema,
  operationsOf,
  recoveryCodesSchema,
  twoFactorSetupSchema,
} from '@tickrate/contract';
import Type from 'typebox';

const path = '/2018-03-24/account/twofactor';
const secret = 'A'.repeat(32);

export const twoFactorOperations = operationsOf({ tag: 'Account', keys: ['session'] })({
  beginTwoFactor: {
    method: 'PUT',
    path,
    summary: 'Start the setup of an authenticator',
    description:
      'If the account has an e-mail address, the first call mails a code to it, and its answer has the two flags of a sign-in. Send the call again with the code: its answer shows what to set up, for 30 minutes and for this session. Without a code, the call mails another one, at most one a minute and five an hour; each is valid for 30 minutes. Works within 15 minutes of a sign-in.',
    body: mailedCodeSchema,
    bodyOptional: true,
    answer: twoFactorSetupSchema,
    refusals: ['notPermitted', 'objectAlreadyExists', 'twoFactorCodeInvalid'],
    examples: [
      {
        name: 'a mail',
        answer: {
          promptForEmailVerification: true,
          promptForTwoFactorCode: true,
          secret: null,
          otpauthUri: null,
          qrSvg: null,
        },
      },
      {
        name: 'its code',
        body: { twoFactorCode: 'abcd-efgh-ijkl-mnop' },
        answer: {
          promptForEmailVerification: false,
          promptForTwoFactorCode: false,
          secret,
          otpauthUri: `otpauth://totp/Tickrate:Bo?issuer=Tickrate&secret=${secret}`,
          qrSvg: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
        },
      },
    ],
  },
  confirmTwoFactor: {
    method: 'POST',
    path,
    summary: 'Confirm the authenticator with its first code',
    body: codeSchema,
    answer: recoveryCodesSchema,
    refusals: ['objectNotFound', 'objectAlreadyExists', 'twoFactorCodeInvalid', 'tooManyTwoFactorAttempts'],
    examples: [
      {
        name: 'a code',
        body: { twoFactorCode: '123456' },
        answer: {
          recoveryCodes: Array.from({ length: 10 }, (_, n) => `aaaa-bbbb-cccc-ddd${'abcdefghij'.charAt(n)}`),
        },
      },
    ],
  },
  removeTwoFactor: {
    method: 'DELETE',
    path,
    summary: 'Remove the authenticator',
    answer: Type.Literal(true),
    refusals: ['notPermitted'],
    examples: [{ name: 'it', answer: true }],
  },
});
