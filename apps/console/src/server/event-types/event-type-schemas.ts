import { closedObject, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { time } from '../calls/fields.ts';

const status = Type.Enum(['available', 'deprecated', 'retired']);
const declaration = Type.Object(
  {},
  { additionalProperties: true, description: 'A JSON Schema document in the profile of declarations' },
);
const number = Type.Integer({ minimum: 1, maximum: 65_535 });

export const versionBriefSchema = closedObject({ version: number, status, created: time });

const versionSchema = closedObject({
  version: number,
  status,
  created: time,
  fingerprint: Type.String({ description: 'Equal for equal declarations' }),
  declaration,
});

const typeMembers = {
  name: Type.String(),
  description: orNull(Type.String()),
  created: time,
  viewFault: orNull(
    Type.String({
      description: 'Why ClickHouse did not make the view of the newest version; null when it did',
    }),
  ),
};

export const eventTypeBriefSchema = closedObject({
  ...typeMembers,
  versions: Type.Array(versionBriefSchema),
});
export const eventTypeSchema = closedObject({ ...typeMembers, versions: Type.Array(versionSchema) });

export const changeSchema = closedObject({
  pointer: Type.String({ description: 'JSON pointer of the member; * means every item' }),
  kind: Type.Enum(['compatible', 'breaking']),
  change: Type.String({ description: 'What changed: `added`, `minimumWidened`' }),
  message: Type.String({ description: 'In English' }),
  before: orNull(Type.String({ description: 'The value that the message names as the earlier one' })),
  after: orNull(Type.String({ description: 'The value that the message names as the later one' })),
});

export const declaredSchema = closedObject({
  name: Type.String(),
  version: number,
  unchanged: Type.Boolean({ description: 'The newest version already has this declaration' }),
  dryRun: Type.Boolean({ description: 'Nothing was written' }),
  changes: Type.Array(changeSchema),
});

/** A file of a folder of declarations, as `tickrate declare` reads it. */
export const declarationFileSchema = closedObject({
  name: Type.String({ maxLength: 200 }),
  description: Type.Optional(orNull(Type.String({ maxLength: 10_000 }))),
  declaration,
});

export const faultSchema = closedObject({
  domain: Type.String(),
  location: Type.String({ description: 'JSON pointer' }),
  locationType: Type.String(),
  message: Type.String(),
  reason: Type.String(),
});

export const sampleEventSchema = closedObject({
  eventId: Type.String(),
  version: number,
  received: time,
  occurred: time,
  accountId: orNull(Type.String()),
  sessionId: orNull(Type.String()),
  event: Type.Object({}, { additionalProperties: true }),
});

export const eventTypeFields = { status, declaration, number };
