import { eventsTable, type WarehousePlace } from '../table/events-table.ts';
import type { Reader } from './reader.ts';

/** A stored event, as the live stream shows it. */
export interface RecentEvent {
  readonly eventId: string;
  readonly type: string;
  readonly version: number;
  readonly receivedMs: number;
  readonly occurredMs: number;
  readonly accountId: string;
  readonly sessionId: string;
  readonly clientAddress: string;
  readonly keyKind: string;
  readonly sdkName: string;
  readonly sdkVersion: string;
  /** The stored event as JSON text, with every digit of its integers. */
  readonly text: string;
}

export interface RecentRequest {
  readonly projectId: string;
  /** By the time of arrival. */
  readonly sinceMs: number;
  /** Chunks that were read before. A chunk is stored as a whole. */
  readonly isKnown: (chunkId: string) => boolean;
  readonly mostEvents: number;
}

export interface RecentChunk {
  readonly chunkId: string;
  readonly events: number;
  readonly newestMs: number;
}

export interface RecentEvents {
  /** All chunks that were not known, also those whose events were left out. */
  readonly chunks: readonly RecentChunk[];
  /** Oldest first. */
  readonly events: readonly RecentEvent[];
  readonly leftOut: number;
}

const timeoutMs = 5_000;
const mostChunks = 10_000;
/** The limit of chunk ids in one statement. */
const mostNamed = 2_000;
const nothing: RecentEvents = { chunks: [], events: [], leftOut: 0 };

export type RecentReader = ReturnType<typeof createRecentReader>;

export function createRecentReader(query: Reader['query'], place: WarehousePlace) {
  const table = eventsTable(place);
  const ofProject = 'project = {project:String} AND received >= fromUnixTimestamp64Milli({since:Int64})';
  return {
    /**
     * Returns the events of a project that were stored since the last call: the newest ones, and the number of those left
     * out. Throws a WarehouseFault.
     */
    async recentEvents({ projectId, sinceMs, isKnown, mostEvents }: RecentRequest): Promise<RecentEvents> {
      const parameters = { project: projectId, since: String(Math.trunc(sinceMs)) };
      // Two narrow columns, which the index by arrival limits to a few granules.
      const found = await query<RecentChunk>(
        `SELECT toString(chunk_id) AS chunkId, toFloat64(count()) AS events,
  toFloat64(toUnixTimestamp64Milli(max(received))) AS newestMs
FROM ${table} WHERE ${ofProject} GROUP BY chunk_id ORDER BY newestMs DESC LIMIT ${mostChunks}`,
        { parameters, timeoutMs },
      );
      const chunks = found.filter(({ chunkId }) => !isKnown(chunkId));
      if (chunks.length === 0) return nothing;
      const total = chunks.reduce((sum, { events }) => sum + events, 0);
      const named = newestOf(chunks, mostEvents);
      const rows = await query<RecentEvent>(
        `SELECT toString(event_id) AS eventId, type, version, toFloat64(toUnixTimestamp64Milli(received)) AS receivedMs,
  toFloat64(toUnixTimestamp64Milli(occurred)) AS occurredMs, account_id AS accountId, session_id AS sessionId,
  client_address AS clientAddress, toString(key_kind) AS keyKind, sdk_name AS sdkName, sdk_version AS sdkVersion,
  toJSONString(data) AS text
FROM ${table} WHERE ${ofProject} AND chunk_id IN {chunks:Array(UUID)}
ORDER BY received DESC, event_id DESC LIMIT ${Math.trunc(mostEvents)}
SETTINGS output_format_json_quote_64bit_integers = 0`,
        { parameters: { ...parameters, chunks: named }, timeoutMs },
      );
      const events = rows.toReversed();
      return { chunks, events, leftOut: total - events.length };
    },
  };
}

function newestOf(chunks: readonly RecentChunk[], mostEvents: number): string[] {
  const named: string[] = [];
  let events = 0;
  for (const chunk of chunks) {
    if (events >= mostEvents || named.length === mostNamed) break;
    named.push(chunk.chunkId);
    events += chunk.events;
  }
  return named;
}
