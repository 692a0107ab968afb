import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouseSettings } from '@clickhouse/client';
import type { ClickHouse } from '../clickhouse.ts';
import { quoteIdentifier, quoteString } from '../quote.ts';
import { onCluster, storedTable, systemTable, type WarehousePlace } from '../table/events-table.ts';
import { WarehouseFault } from '../warehouse-fault.ts';

export interface Mutation {
  /** Starts with DELETE. It applies to the table of events. */
  readonly command: string;
  /** Literals that identify the command: a running mutation with all of them is awaited, not repeated. */
  readonly marks: readonly string[];
  readonly signal?: AbortSignal | undefined;
  readonly settings?: ClickHouseSettings | undefined;
}

const pollMs = 200;

/**
 * Rewrites the parts of the table with such rows. Resolves when it is done on every server with such parts. If it
 * throws (a WarehouseFault or the reason of the signal), the mutation may still be running, and the call can be
 * repeated.
 */
export async function runMutation(
  { clickhouse, place, timeoutMs }: { clickhouse: ClickHouse; place: WarehousePlace; timeoutMs: number },
  { command, marks, signal, settings }: Mutation,
): Promise<void> {
  const call = { timeoutMs, signal };
  const underWay = statesOf(place, marks);
  const states = () => clickhouse.rows<{ fault: string }>(underWay, call);
  if ((await states()).length === 0) {
    // Not awaited in the call itself: it can take longer than a connection lasts.
    await clickhouse.command(alterEvents(place, command), {
      ...call,
      settings: { ...settings, mutations_sync: '0' },
    });
  }
  for (;;) {
    const left = await states();
    if (left.length === 0) return;
    const fault = left.find((state) => state.fault !== '')?.fault;
    if (fault !== undefined) throw new WarehouseFault(fault, { code: 'MUTATION_FAILED', transient: true });
    await delay(pollMs, undefined, { signal });
  }
}

export function alterEvents(place: WarehousePlace, command: string): string {
  return `ALTER TABLE ${quoteIdentifier(place.database)}.${storedTable(place)}${onCluster(place)} ${command}`;
}

function statesOf(place: WarehousePlace, marks: readonly string[]): string {
  const marked = marks.map((mark) => ` AND position(command, ${quoteString(mark)}) > 0`);
  return `SELECT latest_fail_reason AS fault FROM ${systemTable(place, 'mutations')}
WHERE database = ${quoteString(place.database)} AND table = ${quoteString(storedTable(place))} AND NOT is_done${marked.join('')}`;
}
