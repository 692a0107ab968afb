import { type ClickHouse, tooLarge } from '../clickhouse.ts';
import { quoteString } from '../quote.ts';
import { eventsTable, type WarehousePlace } from '../table/events-table.ts';
import { WarehouseFault } from '../warehouse-fault.ts';

/** The events of one account in one project that were received until that time. */
export interface AccountEvents {
  readonly projectId: string;
  readonly accountId: string;
  readonly receivedUntilMs: number;
}

/** The same, or with null as the account all events of the project. */
export interface ErasedEvents extends Omit<AccountEvents, 'accountId'> {
  readonly accountId: string | null;
}

export interface Reading {
  readonly clickhouse: ClickHouse;
  readonly place: WarehousePlace;
  readonly timeoutMs: number;
}

export function createAccountReader(reading: Reading) {
  const { clickhouse, place, timeoutMs } = reading;
  return {
    /** Counts by event type. Throws a WarehouseFault. */
    async countAccount(events: ErasedEvents): Promise<Map<string, number>> {
      const sql = `SELECT type, count() AS rows FROM ${eventsTable(place)} WHERE ${isOfAccount(events)} GROUP BY type ORDER BY type`;
      const rows = await clickhouse.rows<{ type: string; rows: string }>(sql, { timeoutMs });
      return new Map(rows.map((row) => [row.type, Number(row.rows)]));
    },
    /**
     * Returns all of them, oldest first, in pages of NDJSON lines, with one page in memory at a time. An event that is
     * stored twice is returned once. Throws a WarehouseFault.
     */
    async *exportAccount(events: AccountEvents, signal?: AbortSignal): AsyncGenerator<Buffer, void> {
      const pages = accountPages(reading, events, {
        columns: exportedColumns,
        format: 'JSONEachRow',
        signal,
      });
      for await (const { bytes } of pages) yield bytes;
    },
  };
}

/** The same for several accounts and projects, up to the latest of their times. */
export function isOfAnyOf(erased: readonly ErasedEvents[]): string {
  const tuples = erased.map(({ projectId, accountId }) => {
    if (accountId === '') throw new RangeError('The id of an account is empty');
    return accountId === null ? null : `(${quoteString(projectId)}, ${quoteString(accountId)})`;
  });
  const pairs = tuples.filter((pair) => pair !== null);
  const listed = (which: readonly ErasedEvents[]) =>
    [...new Set(which.map(({ projectId }) => quoteString(projectId)))].join(', ');
  const whole = listed(erased.filter(({ accountId }) => accountId === null));
  const parts = [
    ...(whole === '' ? [] : [`project IN (${whole})`]),
    ...(pairs.length === 0 ? [] : [`(project, account_id) IN (${pairs.join(', ')})`]),
  ];
  return `project IN (${listed(erased)}) AND (${parts.join(' OR ')}) AND received <= ${untilOf(erased)}`;
}

export function untilOf(accounts: readonly ErasedEvents[]): string {
  return `fromUnixTimestamp64Milli(${Math.max(...accounts.map((each) => Math.trunc(each.receivedUntilMs)))}, 'UTC')`;
}

/** The condition in SQL. Of an account, it never matches an event without one. */
export function isOfAccount({ projectId, accountId, receivedUntilMs }: ErasedEvents): string {
  if (accountId === '') throw new RangeError('The id of an account is empty');
  const until = `fromUnixTimestamp64Milli(${Math.trunc(receivedUntilMs)}, 'UTC')`;
  const ofAccount = accountId === null ? '' : ` AND account_id = ${quoteString(accountId)}`;
  return `project = ${quoteString(projectId)}${ofAccount} AND received <= ${until}`;
}

const exportedColumns = [
  'event_id AS eventId',
  'type',
  'version',
  'received',
  'occurred',
  'client_time AS clientTime',
  'key_kind AS keyKind',
  'session_id AS sessionId',
  'client_address AS clientAddress',
  'sdk_name AS sdkName',
  'sdk_version AS sdkVersion',
  'data AS event',
].join(', ');

export interface AccountPage {
  readonly bytes: Buffer;
  readonly rows: number;
}

interface PageForm {
  readonly columns: string;
  readonly format: 'JSONEachRow' | 'RowBinary';
  readonly signal?: AbortSignal | undefined;
}

interface Bound {
  readonly rows: string;
  readonly received: string;
  readonly type: string;
  readonly eventId: string;
}

const pageRows = 1_000;
// Identifies a row and also defines the order: only a repetition of the same row is left out.
const key = 'received, type, event_id';
const pageSettings = {
  date_time_output_format: 'iso',
  output_format_binary_write_json_as_string: 0,
} as const;

/** Returns the same pages in every call while the events do not change. */
export async function* accountPages(
  { clickhouse, place, timeoutMs }: Reading,
  events: AccountEvents,
  { columns, format, signal }: PageForm,
): AsyncGenerator<AccountPage, void> {
  const call = { timeoutMs, signal, settings: pageSettings };
  const all = `FROM ${eventsTable(place)} WHERE ${isOfAccount(events)}`;
  let from = all;
  for (let limit = pageRows; limit >= 1; ) {
    const [bound] = await clickhouse.rows<Bound>(boundOf(from, limit), call);
    if (bound === undefined || bound.rows === '0') return;
    const last = `(fromUnixTimestamp64Milli(${Number(bound.received)}, 'UTC'), ${quoteString(bound.type)}, toUUID(${quoteString(bound.eventId)}))`;
    const page = `SELECT ${columns} ${from} AND (${key}) <= ${last} ORDER BY ${key} LIMIT 1 BY ${key} FORMAT ${format}`;
    const bytes = await clickhouse.bytes(page, call).catch(nullIfTooLarge);
    if (bytes === null) {
      limit = Math.floor(limit / 4);
      continue;
    }
    yield { bytes, rows: Number(bound.rows) };
    from = `${all} AND (${key}) > ${last}`;
    limit = pageRows;
  }
  throw new WarehouseFault('an event is larger than an answer', { code: tooLarge, transient: false });
}

/** The number of rows in the next page, and its last row. */
function boundOf(from: string, limit: number): string {
  return `SELECT count() AS rows, toUnixTimestamp64Milli(max(k).1) AS received, max(k).2 AS type, max(k).3 AS eventId
FROM (SELECT DISTINCT (${key}) AS k ${from} ORDER BY k LIMIT ${limit})`;
}

function nullIfTooLarge(fault: unknown): null {
  if (fault instanceof WarehouseFault && fault.code === tooLarge) return null;
  throw fault;
}
