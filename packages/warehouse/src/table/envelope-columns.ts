import { eventColumns } from '@tickrate/events';

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
  type: types.get(name) ?? '',
  comment,
}));

/** The columns that identify the player. They are hidden without the scope for personal data. */
export const personalColumns: ReadonlySet<string> = new Set(['account_id', 'session_id', 'client_address']);

/**
 * How a view reads a column of the table. Before it reads rows, ClickHouse evaluates the expressions of a query with
 * the minimum and maximum of `received` in the index of every part, also of parts with other projects. identity()
 * prevents this.
 */
export function readColumn(table: string, name: string): string {
  return name === 'received' ? `identity(${table}.${name})` : `${table}.${name}`;
}
