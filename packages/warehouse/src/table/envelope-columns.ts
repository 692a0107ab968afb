import { eventColumns } from '@tickrate/events';
import { quoteString } from '../quote.ts';

export interface EnvelopeColumn {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
}

/** The columns of every event before its members, in the order of the typed views. */
const comments = {
  event_id: 'Identifies the event; a UUIDv7 unless the sender chose one.',
  occurred: "When it happened, corrected by the skew of the sender's clock.",
  received: 'When it arrived.',
  client_time: "When it happened by the sender's own clock.",
  version: 'The version of the event type that it was sent as.',
  account_id: 'The account of the session; empty without one.',
  session_id: 'The session that it was sent with; empty without one.',
  key_kind: 'The kind of key that it was sent with.',
  client_address: "The prefix of the sender's address; empty unless it is kept.",
  sdk_name: 'The SDK that sent it.',
  sdk_version: 'The version of that SDK.',
} satisfies Partial<Record<(typeof eventColumns)[number]['name'], string>>;

const types = new Map<string, string>(eventColumns.map(({ name, type }) => [name, type]));

export const envelopeColumns: readonly EnvelopeColumn[] = Object.entries(comments).map(([name, comment]) => ({
  name,
  type: fullType(types.get(name) ?? ''),
  comment,
}));

/** The columns that identify the player. They are hidden without the scope for personal data. */
export const personalColumns: ReadonlySet<string> = new Set(['account_id', 'session_id', 'client_address']);

/**
 * How a view reads a column of the table, so that no expression of a query meets values of other projects:
 * - Before it reads rows, ClickHouse evaluates expressions for the smallest and largest `received` of every part.
 *   identity() prevents this.
 * - It evaluates functions of a `LowCardinality` column for all values in the dictionary of the part. A cast to the full
 *   type leaves the values of the project's rows.
 */
export function readColumn(table: string, name: string): string {
  const column = `${table}.${name}`;
  const type = types.get(name) ?? '';
  if (name === 'received') return `identity(${column})`;
  return fullType(type) === type ? column : `CAST(${column}, ${quoteString(fullType(type))})`;
}

/** The type of the values, without the dictionary that the rows of all projects share. */
function fullType(type: string): string {
  return type.replace(/^LowCardinality\((.*)\)$/, '$1');
}
