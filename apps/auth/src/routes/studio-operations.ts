import {
  closedObject,
  operationsOf,
  studioProviderSchema,
  studioReturnSchema,
  studioVisitSchema,
} from '@tickrate/contract';
import Type from 'typebox';

const path = '/2018-03-24/authenticate/provider';

export const studioOperations = operationsOf({ tag: 'Sign-in', keys: ['public', 'session'], path })({
  readStudioProvider: {
    method: 'GET',
    summary: 'Read how administrators sign in',
    description:
      'The OpenID Connect provider of the studio, which signs in administrators only; its name is null without one. With `only`, they have no password.',
    answer: studioProviderSchema,
    examples: [{ name: 'a provider beside passwords', answer: { name: 'Studio ID', only: false } }],
  },
  visitStudioProvider: {
    method: 'POST',
    summary: 'Begin the sign-in of an administrator at the provider of the studio',
    description:
      'Returns the page of the provider. It sends the browser back to `CONSOLE_URL/sign-in` with `state` and a `code`. Compare the state with yours before you use the code.',
    body: studioVisitSchema,
    answer: closedObject({ url: Type.String() }),
    refusals: ['notPermitted', 'providerMisconfigured', 'identityProviderUnavailable'],
    examples: [
      {
        name: 'with texts of the client',
        body: {
          state: 'a-state-of-this-very-visit',
          nonce: 'a-nonce-of-this-very-visit',
          codeChallenge: 'CW-3RkoPzzm8d4qCmbWX-t-f-dwj1lXfzjfnYgmhewU',
        },
        answer: { url: 'https://id.example.com/auth?response_type=code' },
      },
    ],
  },
  redeemStudioCode: {
    method: 'PUT',
    summary: 'Exchange the code of the provider for an ID token',
    description:
      'If it lacks the groups or the address, auth reads them from userinfo, and remembers them for ten minutes. Sign in with it: send it to `authenticate` in `tokens.oAuthTokens`, with `connectionId` "studio", your nonce and `requestedRole` "builtin:admin".',
    body: studioReturnSchema,
    answer: closedObject({ connectionId: Type.String(), idToken: Type.String() }),
    refusals: ['notPermitted', 'tokenInvalid', 'providerMisconfigured', 'identityProviderUnavailable'],
    examples: [
      {
        name: 'the code of a return',
        body: {
          code: 'code-of-a-return',
          codeVerifier: 'a-code-verifier-of-sufficient-length-for-the-standard',
        },
        answer: { connectionId: 'studio', idToken: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJraW0ifQ.c2lnbmVk' },
      },
    ],
  },
});
