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

type WithTimes<R> = {
  readonly [K in keyof R as K extends `${infer Name}Ms` ? Name : K]: K extends `${string}Ms`
    ? string | Extract<R[K], null>
    : R[K];
};

/** A record as it is shown: `createdMs` becomes `created`, as RFC 3339, and so does every other time. */
export function withTimes<R extends object>(record: R): WithTimes<R> {
  const members = Object.entries(record).map(([name, value]) => {
    if (!name.endsWith('Ms')) return [name, value];
    return [name.slice(0, -'Ms'.length), value === null ? null : timeOf(value)];
  });
  return Object.fromEntries(members) as WithTimes<R>;
}
