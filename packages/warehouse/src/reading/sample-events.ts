import { type ExactJson, parseExactDocument } from '@tickrate/contract';
import { quoteString } from '../quote.ts';
import { eventsTable, hourOfKey } from '../table/events-table.ts';
import type { Reading } from './account-events.ts';

/** A stored event in readable form. */
export interface SampledEvent {
  readonly eventId: string;
  readonly version: number;
  readonly receivedMs: number;
  readonly occurredMs: number;
  readonly accountId: string;
  readonly sessionId: string;
  /** The stored form: integers beyond 2^53 are strings, and members without a value are absent. */
  readonly event: Readonly<Record<string, unknown>>;
}

export interface SampleRequest {
  readonly projectId: string;
  readonly type: string;
  readonly limit: number;
}

// Integers are not converted. Integers that a double cannot hold become text.
const settings = {
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 0,
  optimize_read_in_order: 1,
} as const;

export function createEventSampler({ clickhouse, place, timeoutMs }: Reading) {
  return {
    /** Returns the newest events of a type by their time. Throws a WarehouseFault. */
    async sampleEvents({ projectId, type, limit }: SampleRequest): Promise<SampledEvent[]> {
      // In the order of the table's key, so that ClickHouse reads a few granules and not the whole type.
      const lines = await clickhouse.bytes(
        `SELECT event_id AS eventId, version, toUnixTimestamp64Milli(received) AS receivedMs,
  toUnixTimestamp64Milli(occurred) AS occurredMs, account_id AS accountId, session_id AS sessionId, data AS event
FROM ${eventsTable(place)} WHERE project = ${quoteString(projectId)} AND type = ${quoteString(type)}
ORDER BY ${hourOfKey} DESC, occurred DESC LIMIT ${Math.trunc(limit)} FORMAT JSONEachRow`,
        { timeoutMs, settings },
      );
      return lines
        .toString()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => parseStored(line) as unknown as SampledEvent);
    },
  };
}

/** Parses the JSON text of a stored event. Integers beyond 2^53 become strings. */
export function parseStored(text: string): Readonly<Record<string, unknown>> {
  return plain(parseExactDocument(Buffer.from(text))) as Readonly<Record<string, unknown>>;
}

function plain(value: ExactJson): unknown {
  if (value instanceof Map) {
    return Object.fromEntries(Array.from(value, ([name, member]) => [name, plain(member)]));
  }
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'bigint' ? value.toString() : value;
}
