import { quoteString } from '../quote.ts';
import type { Reading } from '../reading/account-events.ts';
import { eventsTable } from '../table/events-table.ts';
import { alterEvents, runMutation } from './run-mutation.ts';

/** Events of these projects and types that were received before that time. */
export interface ExpiryRule {
  readonly projectIds: readonly string[];
  /** Null means every type. */
  readonly types: { readonly only: readonly string[] } | { readonly except: readonly string[] } | null;
  readonly receivedBeforeMs: number;
}

export interface ExpiryRequest {
  readonly rules: readonly ExpiryRule[];
  /** All events received before this time are stored: no batch with such events is in delivery. */
  readonly settledUntilMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface ExpiredPartition {
  /** The month: 202611. */
  readonly partition: string;
  readonly rows: number;
  readonly kind: 'dropped' | 'rewritten';
}

interface Month {
  readonly partition: string;
  readonly rows: string;
  readonly expired: string;
  /** The number of these events that are a week overdue. */
  readonly due: string;
}

/**
 * A rewrite costs as much for one row as for half of a month (ADR 12). So it waits until it frees a tenth of the
 * month, or until an event is a week overdue.
 */
const worthRewriting = 0.1;
const longestDelayMs = 7 * 24 * 3_600_000;
const settings = {
  max_query_size: '16777216',
  max_ast_elements: '1000000',
  max_expanded_ast_elements: '1000000',
};

export type Expirer = ReturnType<typeof createExpirer>;

export function createExpirer(reading: Reading) {
  const { clickhouse, place, timeoutMs } = reading;

  async function remove(month: Month, { settledUntilMs, signal }: ExpiryRequest, expired: string) {
    const { partition } = month;
    const id = `PARTITION ID ${quoteString(partition)}`;
    const result = { partition, rows: Number(month.expired) };
    if (month.expired === month.rows && endOfMonth(partition) <= settledUntilMs) {
      const call = { timeoutMs, signal, settings: { mutations_sync: '0' } };
      await clickhouse.command(alterEvents(place, `DROP ${id}`), call);
      return { ...result, kind: 'dropped' } as const;
    }
    await runMutation(reading, {
      command: `DELETE IN ${id} WHERE ${expired}`,
      marks: [id],
      signal,
      settings,
    });
    return { ...result, kind: 'rewritten' } as const;
  }

  return {
    /**
     * Removes the events that match the rules, month by month. A month without remaining events is dropped; another one
     * is rewritten when that is worth it. Throws a WarehouseFault or the reason of the signal. It can be repeated.
     */
    async removeExpired(request: ExpiryRequest): Promise<ExpiredPartition[]> {
      const { settledUntilMs, signal } = request;
      const rules = request.rules
        .filter((rule) => rule.projectIds.length > 0)
        .map((rule) => ({ ...rule, receivedBeforeMs: Math.min(rule.receivedBeforeMs, settledUntilMs) }));
      if (rules.length === 0) return [];
      const sql = monthsSql(eventsTable(place), rules);
      const months = await clickhouse.rows<Month>(sql, { timeoutMs, signal, settings });
      const removed: ExpiredPartition[] = [];
      for (const month of months.filter(isWorthIt)) {
        removed.push(await remove(month, request, anyOf(rules)));
      }
      return removed;
    },
  };
}

function isWorthIt({ rows, expired, due }: Month): boolean {
  if (expired === '0') return false;
  return Number(expired) >= worthRewriting * Number(rows) || Number(due) > 0;
}

function monthsSql(table: string, rules: readonly ExpiryRule[]): string {
  const latest = Math.max(...rules.map((rule) => rule.receivedBeforeMs));
  const overdue = rules.map((rule) => ({
    ...rule,
    receivedBeforeMs: rule.receivedBeforeMs - longestDelayMs,
  }));
  return `SELECT toString(toYYYYMM(received)) AS partition, count() AS rows, countIf(${anyOf(rules)}) AS expired,
  countIf(${anyOf(overdue)}) AS due
FROM ${table} WHERE toYYYYMM(received) <= toYYYYMM(${time(latest)}) GROUP BY partition ORDER BY partition`;
}

function anyOf(rules: readonly ExpiryRule[]): string {
  return rules.map(conditionOf).join(' OR ');
}

function conditionOf({ projectIds, types, receivedBeforeMs }: ExpiryRule): string {
  const parts = [`project IN (${list(projectIds)})`, `received < ${time(receivedBeforeMs)}`];
  if (types !== null && 'only' in types) parts.push(`type IN (${list(types.only)})`);
  if (types !== null && 'except' in types && types.except.length > 0)
    parts.push(`type NOT IN (${list(types.except)})`);
  return `(${parts.join(' AND ')})`;
}

function list(texts: readonly string[]): string {
  return texts.map(quoteString).join(', ');
}

function time(ms: number): string {
  return `fromUnixTimestamp64Milli(${Math.trunc(ms)}, 'UTC')`;
}

function endOfMonth(partition: string): number {
  return Date.UTC(Number(partition.slice(0, 4)), Number(partition.slice(4)));
}
