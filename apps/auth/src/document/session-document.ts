import {
  accountSchema,
  authenticationRequestSchema,
  authenticationResponseSchema,
  createOpenApiDocument,
  discoveryOperation,
  type JsonObject,
  type Operation,
  sessionRecordSchema,
  sessionVersions,
} from '@tickrate/contract';
import type { TSchema } from 'typebox';
import { sentSchema } from './sent-schema.ts';

const description = `Sign-in of players and administrators, their sessions and accounts.

A game contains a public key and signs in with it. The session has its own key. Use this key to send events and for the calls
about the session and its account. Times are UNIX seconds. Members without a value are null, never absent.

Every call is also served below \`/v1\` instead of \`/2018-03-24\`, for clients of the original service that use this
prefix. The call and its answer are the same.`;

const [dated, ...aliases] = sessionVersions;

export function createSessionDocument(mounted: readonly Operation[]): JsonObject {
  const sentRequest = sentSchema(authenticationRequestSchema);
  const bodyOf = (body: TSchema) => (body === authenticationRequestSchema ? sentRequest : sentSchema(body));
  const operations = mounted.map((operation) =>
    operation.body ? { ...operation, body: bodyOf(operation.body) } : operation,
  );
  return createOpenApiDocument({
    title: 'Tickrate session API',
    version: dated,
    description,
    tags: [
      {
        name: 'Sign-in',
        description: 'Repeat one call with the requested values until it returns a session.',
      },
      { name: 'Sessions', description: 'The sessions of the signed-in account.' },
      { name: 'Account', description: 'The profile, the sign-in methods and the second factor.' },
      { name: 'Privacy', description: 'Export or delete the data of the account.' },
      { name: 'Discovery', description: 'What a client needs besides its key.' },
    ],
    schemas: {
      AuthenticationRequest: sentRequest,
      AuthenticationResponse: authenticationResponseSchema,
      Session: sessionRecordSchema,
      Account: accountSchema,
    },
    operations: [...operations, discoveryOperation],
    aliases: aliases.map((version) => ({ path: `/${version}`, of: `/${dated}` })),
  });
}
