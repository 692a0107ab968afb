import type { TSchema } from 'typebox';
import { accountSchema } from '../account-answers.ts';
import {
  authenticationRequestSchema,
  authenticationResponseSchema,
  sessionRecordSchema,
  sessionVersions,
} from '../session-api.ts';
import { accountOperations } from './account-operations.ts';
import { createOpenApiDocument, type JsonObject } from './openapi-document.ts';
import type { Operation } from './operation.ts';
import { sentSchema } from './sent-schema.ts';
import { leavingOperations, signInOperations } from './session-operations.ts';

const sentRequest = sentSchema(authenticationRequestSchema);

/** Every call of the session API, with bodies as they may be sent. */
export const sessionOperations: readonly Operation[] = [
  ...signInOperations,
  ...accountOperations,
  ...leavingOperations,
].map((operation) => (operation.body ? { ...operation, body: bodyOf(operation.body) } : operation));

function bodyOf(body: TSchema): TSchema {
  return body === authenticationRequestSchema ? sentRequest : sentSchema(body);
}

const description = `Sign-in of players and administrators, their sessions and accounts.

A game is built with a public key and signs in with it; the session that it gets has a key of its own, which sends events and
makes the calls here that are about itself. Times are UNIX seconds. Members without a value are null, never left out.

Every call is also served below \`/v1\` in place of \`/2018-03-24\`, for clients of the original service that know it by that
name: the same call with the same answer.`;

const [dated, ...aliases] = sessionVersions;

/** The OpenAPI document of the session API. */
export function createSessionDocument(): JsonObject {
  return createOpenApiDocument({
    title: 'Tickrate session API',
    version: dated,
    description,
    tags: [
      {
        name: 'Sign-in',
        description: 'One call, sent again with what it asks for until it answers a session.',
      },
      { name: 'Sessions', description: 'Of the account that is signed in.' },
      { name: 'Account', description: 'Its profile, its ways in, its second factor.' },
      { name: 'Privacy', description: 'What is known of the account, and that it is forgotten.' },
    ],
    schemas: {
      AuthenticationRequest: sentRequest,
      AuthenticationResponse: authenticationResponseSchema,
      Session: sessionRecordSchema,
      Account: accountSchema,
    },
    operations: sessionOperations,
    aliases: aliases.map((version) => ({ path: `/${version}`, of: `/${dated}` })),
  });
}
