import Type from 'typebox';
import { createSchemaCheck } from '../json/schema-check.ts';
import { closedObject } from '../json/schema-shapes.ts';

const days = Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()], {
  description: 'Whole days to keep an event after it was received; null keeps it forever',
});

/** How long the events of a project are kept. Here null is a value: forever. */
export const retentionPolicySchema = closedObject({
  days: Type.Optional(days),
  types: Type.Optional(
    Type.Record(Type.String(), days, {
      maxProperties: 10_000,
      description: 'Exceptions by name of the event type',
    }),
  ),
});

const check = createSchemaCheck(retentionPolicySchema);

/** Returns null if the value is not a policy. A project without `days` uses the default of the installation. */
export function readRetention(value: unknown, defaultDays: number | null) {
  if (!check.accepts(value)) return null;
  return {
    days: value.days === undefined ? defaultDays : value.days,
    types: new Map(Object.entries(value.types ?? {})),
  };
}
