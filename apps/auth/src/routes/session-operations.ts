import {
  authenticationRequestSchema,
  authenticationResponseSchema,
  closedObject,
  defineOperation,
  operationsOf,
  sessionListSchema,
  sessionRecordSchema,
  switchSchema,
} from '@tickrate/contract';
import Type from 'typebox';
import { askedForPassword, sampleSession, signedIn, switched } from '../document/session-examples.ts';

const base = '/2018-03-24';
const done = Type.Literal(true);

export const authenticate = defineOperation({
  id: 'authenticate',
  method: 'PUT',
  path: `${base}/authenticate`,
  tag: 'Sign-in',
  summary: 'Sign in',
  description:
    'Send all credentials you have. The answer is a session, or flags that show what to request from the user: add it and send again. An ' +
    'error changes nothing: keep the prompt. Null and empty texts mean that a member is absent, and so does a body that is empty or null. ' +
    'With promptForEmailVerification and promptForTwoFactorCode together, send the code from the mail as twoFactorCode. ' +
    'With promptForTwoFactorEnrolment the answer contains the authenticator to set up. Send its first code as twoFactorCode; the session then comes ' +
    'with the recoveryCodes.',
  keys: ['public', 'session'],
  body: authenticationRequestSchema,
  bodyOptional: true,
  headers: Type.Object({
    'Idempotency-Key': Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_+/=.~-]{22,200}$',
        description:
          'A secret that the caller creates: 128 random bits in hex or base64. The same request with it returns the same answer for ' +
          '60 seconds. Without it, you can only repeat a request with an exchangeId or with accepted credentials',
      }),
    ),
  }),
  answer: authenticationResponseSchema,
  refusals: [
    'notPermitted',
    'objectNotFound',
    'tokenOnOtherAccount',
    'emailInUse',
    'lastCredential',
    'credentialsInvalid',
    'tokenInvalid',
    'tokenExpired',
    'twoFactorCodeInvalid',
    'twoFactorCodeUsed',
    'accountBanned',
    'registrationClosed',
    'tooManyAttempts',
    'tooManyTwoFactorAttempts',
    'passwordTooWeak',
    'platformBanned',
    'exchangeConflict',
    'roleNotAvailable',
    'providerMisconfigured',
    'identityProviderUnavailable',
  ],
  examples: [
    {
      name: 'only an address',
      body: { emailAddress: 'bo@example.com' },
      answer: askedForPassword,
    },
    {
      name: 'with a platform ticket',
      body: { tokens: { deviceTestTokens: [{ deviceId: 'laptop-1' }] } },
      answer: signedIn,
    },
  ],
});

export const sessionOperations = operationsOf({ tag: 'Sessions', keys: ['session'] })({
  switchProject: {
    method: 'PUT',
    path: `${base}/authenticate/switch`,
    summary: 'Move an administrator to another project',
    description: 'The session and its key stay valid. Returns the same answer as a completed sign-in.',
    body: switchSchema,
    answer: authenticationResponseSchema,
    refusals: ['notPermitted'],
    examples: [{ name: 'to the same project', body: { projectId: 'p-bbcdefghijkm' }, answer: switched }],
  },
  readSession: {
    method: 'GET',
    path: `${base}/session`,
    summary: 'Read the session',
    answer: sessionRecordSchema,
    examples: [{ name: 'the session of the key', answer: sampleSession }],
  },
  renewSession: {
    method: 'POST',
    path: `${base}/session`,
    summary: 'Renew the session',
    description:
      'Extends the session to one hour from now, within the absolute limit. The key stays the same.',
    answer: sessionRecordSchema,
    examples: [{ name: 'the session of the key', answer: sampleSession }],
  },
  listSessions: {
    method: 'GET',
    path: `${base}/sessions`,
    summary: "List the account's sessions",
    answer: sessionListSchema,
    examples: [
      {
        name: 'one',
        answer: {
          sessions: [
            {
              id: sampleSession.id,
              projectId: sampleSession.projectId,
              role: sampleSession.role,
              amr: ['deviceTest'],
              start: 1_795_238_674,
              expiry: 1_795_242_274,
              current: true,
            },
          ],
        },
      },
    ],
  },
  endOneSession: {
    method: 'DELETE',
    path: `${base}/sessions/{id}`,
    summary: 'End one session of the account',
    description:
      'Its key stops working within a second. Its device tokens stay linked: end all other sessions to unlink them. A session that has ' +
      'ended, or belongs to another account, returns 3001.',
    params: closedObject({ id: Type.String({ maxLength: 64 }) }),
    answer: done,
    refusals: ['objectNotFound'],
    examples: [{ name: 'another device', params: { id: 'us-cbcdefghijkmnpqrstuv' }, answer: true }],
  },
  endOtherSessions: {
    method: 'DELETE',
    path: `${base}/sessions`,
    summary: 'End all sessions except this one',
    description:
      'Device tokens other than those that opened this session are unlinked: such a device must sign in again. Device tokens that are ' +
      'the only way in stay linked.',
    answer: closedObject({
      ended: Type.Integer({ minimum: 0 }),
      unlinkedDevices: Type.Integer({ minimum: 0 }),
    }),
    examples: [{ name: 'no other session', answer: { ended: 0, unlinkedDevices: 0 } }],
  },
  endSession: {
    method: 'DELETE',
    path: `${base}/session`,
    summary: 'Sign out',
    answer: done,
    examples: [{ name: 'the session of the key', answer: true }],
  },
});
