import type { Queryable } from '@tickrate/postgres';
import { readKey } from '../queue/chunks/idempotency-key.ts';
import { hashKey, literal } from './seal-arguments.ts';

/** A key of a request, as in `IdempotentRun`, and its project. */
export interface AskedKey {
  readonly projectId: string;
  readonly key: string;
}

/** Returns those keys that were sealed with another body and have not expired. */
export async function findReusedKeys(db: Queryable, asked: readonly AskedKey[]): Promise<AskedKey[]> {
  const named = asked.map(({ projectId, key }) => ({ projectId, ...readKey(key) }));
  const rows = await db.query<{ place: number }>(selectReused, [
    literal(named.map(({ projectId, name }) => hashKey(projectId, name))),
    literal(named.map(({ body }) => body ?? 'NULL')),
  ]);
  return rows.flatMap(({ place }) => asked[place - 1] ?? []);
}

const selectReused = `
  SELECT a.place::int AS place
    FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS a(key, body, place)
    JOIN delivery.keys k ON k.key = a.key AND k.body <> a.body AND k.expires_at > clock_timestamp()`;
