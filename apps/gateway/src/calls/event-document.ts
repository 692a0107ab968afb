import {
  createOpenApiDocument,
  discoveryOperation,
  type JsonObject,
  partialAnswerSchema,
  rejectionSchema,
  reportedFaultSchema,
} from '@tickrate/contract';
import { eventOperations } from './event-operations.ts';

const description = `Send events of declared types. They are validated and stored exactly once.

An answer of 200 means that the events are valid and durably stored in the queue. Queries return them within two seconds. If
a call fails with code 6001, retry the same request after \`data.retryAfterSeconds\`. Send the key in \`X-API-Key\`, as a
bearer token, or in the header \`api_key\`. Bodies can be compressed with gzip, deflate, br or zstd.`;

/** The OpenAPI document of the event API. */
export function createEventDocument(): JsonObject {
  return createOpenApiDocument({
    title: 'Tickrate event API',
    version: 'v1',
    description,
    tags: [
      { name: 'Events', description: 'Insert events of one type or of several, alone or in batches.' },
      { name: 'Discovery', description: 'What a client needs besides its key.' },
    ],
    schemas: { PartialAnswer: partialAnswerSchema, Rejection: rejectionSchema, Fault: reportedFaultSchema },
    operations: [...eventOperations, discoveryOperation],
  });
}
