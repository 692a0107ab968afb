import type { Queryable } from '@tickrate/postgres';

/**
 * The rows of one realm: of a project's players, or of the installation's administrators. Whatever belongs to an account
 * is read and written through this and through nothing else. Every statement is given the realm as $1, and its own values
 * from $2 on: one that leaves $1 out is refused by PostgreSQL, which cannot know the type of a parameter that stands
 * nowhere. It is no Queryable, so that the two cannot be mistaken for each other, and costs no round trip.
 */
export interface InRealm {
  readonly realm: string;
  rows<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

export function inRealm(on: Queryable, realm: string): InRealm {
  return { realm, rows: (sql, values = []) => on.query(sql, [realm, ...values]) };
}

/** For tables that know an account and no realm, `account_id` being asked for as $2. */
export const ofAccount =
  'account_id = $2 AND EXISTS (SELECT FROM auth.accounts own WHERE own.id = $2 AND own.realm = $1)';
