import {
  closedObject,
  createSchemaCheck,
  orNull,
  parameterInvalid,
  type SystemError,
} from '@tickrate/contract';
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';

const mostPerPage = 200;
const perPage = 50;

/** The parameters of every list: the cursor, the page size, and filters. */
export function pageQuery<T extends TProperties>(filters: T) {
  return closedObject({
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1_000, description: 'The `next` of the previous page' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostPerPage, default: perPage })),
    ...filters,
  });
}

export const searchFilter = {
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only names that contain each of these words, in any case and order',
    }),
  ),
};

export function wordsOf(search: string | undefined): readonly string[] {
  return (search ?? '').split(/\s+/).filter(Boolean);
}

/** `next` is null on the last page. */
export function pageAnswer<T extends TSchema>(item: T) {
  return closedObject({ results: Type.Array(item), next: orNull(Type.String()) });
}

export interface PageRequest {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface Page<T> {
  readonly results: T[];
  readonly next: string | null;
}

/**
 * Returns one page. `read` is called for one record more than the page, which shows whether another page exists. A
 * cursor is the members of the last record on the page that `place` names, as opaque text.
 */
export async function readPage<P extends TObject, R extends Static<P>, T>(
  { cursor, limit = perPage }: PageRequest,
  paging: {
    readonly place: P;
    readonly read: (after: Static<P> | null, limit: number) => Promise<readonly R[]>;
    readonly show: (record: R) => T;
  },
): Promise<Page<T>> {
  const after = cursor === undefined ? null : readCursor(cursor, paging.place);
  const records = await paging.read(after, limit + 1);
  const shown = records.slice(0, limit);
  const last = records.length > limit ? shown.at(-1) : undefined;
  return {
    results: shown.map(paging.show),
    next: last === undefined ? null : writeCursor(paging.place, last),
  };
}

function writeCursor(place: TObject, record: object): string {
  // Members that are no part of the place are not written.
  return Buffer.from(JSON.stringify(record, Object.keys(place.properties))).toString('base64url');
}

function readCursor<P extends TObject>(cursor: string, place: P): Static<P> {
  const read = parsed(Buffer.from(cursor, 'base64url').toString());
  if (!createSchemaCheck(place).accepts(read) || !Object.values(read).every(isStorable))
    throw notOfThisList();
  return read;
}

export function notOfThisList(): SystemError {
  return parameterInvalid('cursor', 'not a cursor of this list');
}

const furthestMs = 8_640_000_000_000_000;

/** Whether the store can compare with it. A cursor comes from the client, so it can contain anything. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= furthestMs;
  return typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));
}

/** Null for a text that is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
