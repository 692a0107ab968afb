import type { ProjectAccount, StoreLevel } from '@tickrate/pipeline';
import type { WarehouseStatus } from '@tickrate/warehouse';
import { createRepeatedTask, type RepeatedTask } from './repeated-task.ts';

/** The last known totals of all events, and the levels of the queue and ClickHouse. */
export interface EventStatus {
  /** Over all projects; null before the first reading, or if it could not be read. */
  readonly account: ProjectAccount | null;
  readonly queue: StoreLevel | null;
  readonly warehouse: WarehouseStatus | null;
}

export interface EventStatusOptions {
  accounts(): Promise<ReadonlyMap<string, ProjectAccount>>;
  levels(): Promise<readonly StoreLevel[]>;
  warehouse(): Promise<WarehouseStatus>;
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  /** Projects with accepted events that are missing. */
  onMissing(missingByProject: ReadonlyMap<string, number>): void;
  onFault(source: 'ledger' | 'queue' | 'clickhouse', fault: unknown): void;
  readonly everyMs?: number;
}

export interface EventStatusReader extends RepeatedTask {
  readonly latest: EventStatus;
  read(): Promise<void>;
}

/**
 * Reads the state of the installation at intervals, so that a scrape waits for no database. Every worker exports the
 * same values. A value that could not be read is unknown.
 */
export function createEventStatus(options: EventStatusOptions): EventStatusReader {
  const { sleep, onMissing, onFault, everyMs = 60_000 } = options;
  let latest: EventStatus = { account: null, queue: null, warehouse: null };

  async function read(): Promise<void> {
    const unread = (source: 'ledger' | 'queue' | 'clickhouse') => (fault: unknown) => {
      onFault(source, fault);
      return null;
    };
    const [accounts, levels, warehouse] = await Promise.all([
      options.accounts().catch(unread('ledger')),
      options.levels().catch(unread('queue')),
      options.warehouse().catch(unread('clickhouse')),
    ]);
    latest = { account: accounts && sumOf(accounts), queue: levels && fullest(levels), warehouse };
    const missing = [...(accounts ?? [])].map(([project, { missing }]) => [project, missing ?? 0] as const);
    const lacking = new Map(missing.filter(([, count]) => count > 0));
    if (lacking.size > 0) onMissing(lacking);
  }

  const task = createRepeatedTask('status', { run: read, sleep, everyMs });

  return {
    ...task,
    get latest() {
      return latest;
    },
    read,
  };
}

function sumOf(accounts: ReadonlyMap<string, ProjectAccount>): ProjectAccount {
  const sum = { accepted: 0, stored: 0, pending: 0, deduplicated: 0, dead: 0 };
  let missing: number | null = 0;
  for (const account of accounts.values()) {
    for (const place of Object.keys(sum) as (keyof typeof sum)[]) sum[place] += account[place];
    missing = missing === null || account.missing === null ? null : missing + account.missing;
  }
  return { ...sum, missing };
}

/** The depth and bytes of all stores together, and the age of the oldest chunk. */
function fullest(levels: readonly StoreLevel[]): StoreLevel {
  const sum = (of: 'usedBytes' | 'limitBytes' | 'depth') =>
    levels.reduce((total, level) => total + level[of], 0);
  const oldest = levels.map((level) => level.oldestMs).filter((ms) => ms !== null);
  return {
    usedBytes: sum('usedBytes'),
    limitBytes: sum('limitBytes'),
    depth: sum('depth'),
    oldestMs: oldest.length === 0 ? null : Math.min(...oldest),
  };
}
