import type { Queryable } from '@tickrate/postgres';

/**
 * The rows of one realm: of a project's players, or of the installation's administrators. All data of an account is
 * read and written through it. Every statement gets the realm as $1, and its own values from $2 on. PostgreSQL rejects
 * a statement that omits $1, because it cannot know the type of an unused parameter. It is not a Queryable, so that the
 * two cannot be confused, and costs no round trip.
 */
export interface InRealm {
  readonly realm: string;
  rows<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

export function inRealm(on: Queryable, realm: string): InRealm {
  return { realm, rows: (sql, values = []) => on.query(sql, [realm, ...values]) };
}

/** For tables with an account and no realm; `account_id` is $2. */
export const ofAccount =
  'account_id = $2 AND EXISTS (SELECT FROM auth.accounts own WHERE own.id = $2 AND own.realm = $1)';
