import Type from 'typebox';

/* Members with the same meaning everywhere in the management API. */

export const time = Type.String({ format: 'date-time', description: 'RFC 3339, in UTC' });
export const count = Type.Integer({ minimum: 0 });
export const recordId = Type.String({ format: 'uuid' });
export const projectId = Type.String({ pattern: '^p-[a-z0-9]{12}$' });
export const editVersion = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Send it with an edit. The edit fails with 3004 if the record has changed since',
});

export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

export function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : timeOf(ms);
}
