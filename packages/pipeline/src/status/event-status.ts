import { createRepeatedTask } from '@tickrate/platform';
import type { StoreLevel } from '../queue/stores/queue-store.ts';
import type { ProjectAccount } from '../usage/accounting.ts';

/** The last known totals of all events, and the levels of the queue and ClickHouse. A part that could not be read is null. */
export interface EventStatus {
  /** Over all projects. */
  readonly account: ProjectAccount | null;
  readonly queue: { readonly stores: readonly StoreLevel[]; readonly readAtMs: number } | null;
  readonly warehouse: WarehouseLevel | null;
}

export interface WarehouseLevel {
  readonly partsOfFullestPartition: number;
  readonly bytes: number;
  readonly diskFreeBytes: number;
}

export interface EventStatusOptions {
  accounts(): Promise<ReadonlyMap<string, ProjectAccount>>;
  levels(): Promise<readonly StoreLevel[]>;
  warehouse(): Promise<WarehouseLevel>;
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  now(): number;
  /** Projects with accepted events that are missing. */
  onMissing?(missingByProject: ReadonlyMap<string, number>): void;
  onFault(source: 'ledger' | 'queue' | 'clickhouse', fault: unknown): void;
  readonly everyMs?: number;
}

/** The accounts of all projects cost most and change slowest. They are read in every third round. */
const accountsEvery = 3;

/**
 * Reads the state of the installation at intervals, so that a scrape waits for no database. Every worker and console
 * exports the same values.
 */
export function createEventStatus(options: EventStatusOptions) {
  const { sleep, now, onMissing = () => undefined, onFault, everyMs = 20_000 } = options;
  let latest: EventStatus = { account: null, queue: null, warehouse: null };
  let round = 0;

  const unread = (source: 'ledger' | 'queue' | 'clickhouse') => (fault: unknown) => {
    onFault(source, fault);
    return null;
  };

  async function readAccount(): Promise<ProjectAccount | null> {
    const accounts = await options.accounts().catch(unread('ledger'));
    const missing = [...(accounts ?? [])].map(([project, { missing }]) => [project, missing ?? 0] as const);
    const lacking = new Map(missing.filter(([, count]) => count > 0));
    if (lacking.size > 0) onMissing(lacking);
    return accounts && sumOf(accounts);
  }

  async function read(): Promise<void> {
    const withAccounts = round++ % accountsEvery === 0;
    const [account, stores, warehouse] = await Promise.all([
      withAccounts ? readAccount() : latest.account,
      options.levels().catch(unread('queue')),
      options.warehouse().catch(unread('clickhouse')),
    ]);
    latest = { account, warehouse, queue: stores && { stores, readAtMs: now() } };
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
