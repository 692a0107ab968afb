import { partialAnswerSchema, rejectionSchema, reportedFaultSchema } from '../event-api.ts';
import { eventOperations } from './event-operations.ts';
import { createOpenApiDocument, type JsonObject } from './openapi-document.ts';

const description = `Events in: of declared types, validated, and stored exactly once.

An answer of 200 means that the events are validated and on durable storage of the queue; they can be queried within two
seconds. Code 6001 asks to send the same again after \`data.retryAfterSeconds\`. The key stands in \`X-API-Key\`, as a bearer
token, or in the header \`api_key\`. Bodies may be compressed with gzip, deflate, br or zstd.`;

/** The OpenAPI document of the event API. */
export function createEventDocument(): JsonObject {
  return createOpenApiDocument({
    title: 'Tickrate event API',
    version: 'v1',
    description,
    tags: [{ name: 'Events', description: 'Of one type or of many, alone or in batches.' }],
    schemas: { PartialAnswer: partialAnswerSchema, Rejection: rejectionSchema, Fault: reportedFaultSchema },
    operations: eventOperations,
  });
}
