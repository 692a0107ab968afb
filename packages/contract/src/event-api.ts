import Type, { type Static } from 'typebox';
import { closedObject } from './json/schema-shapes.ts';

/*
 * The bodies and answers of the event API as schemas. The types in the code and the documents are derived from them,
 * and tests check answers against them.
 */

/** One fault of one event. `location` is a JSON pointer within the body. */
export const reportedFaultSchema = closedObject({
  domain: Type.Literal('event'),
  location: Type.String(),
  locationType: Type.Literal('body'),
  message: Type.String(),
  reason: Type.String(),
});

/** An element of a batch that was not accepted. */
export const rejectionSchema = closedObject({
  index: Type.Integer({ minimum: 0 }),
  errors: Type.Array(reportedFaultSchema, { minItems: 1 }),
});

/** Something about accepted events that the sender may not expect. More kinds may be added. */
export const eventNoticeSchema = closedObject({
  notice: Type.Enum(['occurredClamped']),
  count: Type.Integer({ minimum: 1, description: 'How many accepted events' }),
});
export type EventNotice = Static<typeof eventNoticeSchema>;

/** The answer of a call that accepts a part of a batch. */
export const partialAnswerSchema = closedObject({
  accepted: Type.Integer({ minimum: 0 }),
  rejected: Type.Array(rejectionSchema),
  /** Present only if not every rejected element is listed. This can happen with a streamed body. */
  rejectedInAll: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Present only if there are any. Calls that answer `true` send them in the header X-Tickrate-Notices. */
  notices: Type.Optional(Type.Array(eventNoticeSchema, { minItems: 1 })),
});
export type PartialAnswer = Static<typeof partialAnswerSchema>;

const errorMembers = {
  code: Type.Integer(),
  message: Type.String(),
  fields: Type.Union([Type.String(), Type.Null()]),
  data: Type.Object({ requestId: Type.String(), reason: Type.String() }, { additionalProperties: true }),
};

/** The answer of every failed call. */
export const systemErrorSchema = closedObject(errorMembers);
export type SystemErrorBody = Static<typeof systemErrorSchema>;

/** The answer for clients that request RFC 9457: its members and the four members of every error. */
export const problemSchema = closedObject({
  type: Type.String({ pattern: '^urn:tickrate:error:' }),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Type.String(),
  instance: Type.String({ pattern: '^urn:tickrate:request:' }),
  ...errorMembers,
});
export type ProblemBody = Static<typeof problemSchema>;
