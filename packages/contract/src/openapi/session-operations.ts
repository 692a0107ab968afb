import Type from 'typebox';
import {
  accountErasedSchema,
  accountExportSchema,
  erasureSchema,
  sessionListSchema,
} from '../account-answers.ts';
import { switchSchema } from '../account-api.ts';
import {
  authenticationRequestSchema,
  authenticationResponseSchema,
  sessionRecordSchema,
} from '../session-api.ts';
import { defineOperation, type Operation } from './operation.ts';
import {
  askedForPassword,
  sampleErasure,
  sampleExport,
  sampleSession,
  signedIn,
  switched,
} from './session-examples.ts';

const base = '/2018-03-24';
const done = Type.Literal(true);
const ofSession = { tag: 'Sessions', keys: ['session'] } as const;

const authenticate = defineOperation({
  id: 'authenticate',
  method: 'PUT',
  path: `${base}/authenticate`,
  tag: 'Sign-in',
  summary: 'Sign in',
  description:
    'Send all credentials you have. The answer is a session, or flags that show what to request from the user: add it and send again. An ' +
    'error changes nothing: keep the prompt. Null and empty texts mean that a member is absent. ' +
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

const switchProject = defineOperation({
  ...ofSession,
  id: 'switchProject',
  method: 'PUT',
  path: `${base}/authenticate/switch`,
  summary: 'Move an administrator to another project',
  description: 'The session and its key stay valid. Returns the same answer as a completed sign-in.',
  body: switchSchema,
  answer: authenticationResponseSchema,
  refusals: ['notPermitted'],
  examples: [{ name: 'to the same project', body: { projectId: 'p-bbcdefghijkm' }, answer: switched }],
});

const readSession = defineOperation({
  ...ofSession,
  id: 'readSession',
  method: 'GET',
  path: `${base}/session`,
  summary: 'Read the session',
  answer: sessionRecordSchema,
  examples: [{ name: 'the session of the key', answer: sampleSession }],
});

const renewSession = defineOperation({
  ...ofSession,
  id: 'renewSession',
  method: 'POST',
  path: `${base}/session`,
  summary: 'Renew the session',
  description: 'Extends the session to one hour from now, within the absolute limit. The key stays the same.',
  answer: sessionRecordSchema,
  examples: [{ name: 'the session of the key', answer: sampleSession }],
});

const listSessions = defineOperation({
  ...ofSession,
  id: 'listSessions',
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
});

const endOtherSessions = defineOperation({
  ...ofSession,
  id: 'endOtherSessions',
  method: 'DELETE',
  path: `${base}/sessions`,
  summary: 'End all sessions except this one',
  description:
    'Device tokens other than those that opened this session are unlinked: such a device must sign in again. Device tokens that are ' +
    'the only way in stay linked.',
  answer: Type.Object(
    { ended: Type.Integer({ minimum: 0 }), unlinkedDevices: Type.Integer({ minimum: 0 }) },
    { additionalProperties: false },
  ),
  examples: [{ name: 'no other session', answer: { ended: 0, unlinkedDevices: 0 } }],
});

const endSession = defineOperation({
  ...ofSession,
  id: 'endSession',
  method: 'DELETE',
  path: `${base}/session`,
  summary: 'Sign out',
  answer: done,
  examples: [{ name: 'the session of the key', answer: true }],
});

const exportAccount = defineOperation({
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

const eraseAccount = defineOperation({
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

const readErasure = defineOperation({
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

export const signInOperations: readonly Operation[] = [
  authenticate,
  switchProject,
  readSession,
  renewSession,
  listSessions,
  endOtherSessions,
];
export const leavingOperations: readonly Operation[] = [endSession, exportAccount, eraseAccount, readErasure];
