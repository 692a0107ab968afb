import type { Quarantine } from '@tickrate/pipeline';
import type { Warehouse } from '@tickrate/warehouse';

export interface AccountEventsRequest {
  readonly accountId: string;
  readonly projectIds: readonly string[];
  readonly signal: AbortSignal;
}

/** The events of an account: the JSON text of one event each, read while they are consumed. */
export interface AccountEvents {
  events(request: AccountEventsRequest): AsyncIterable<string>;
  /** Rejected events and dead letters. */
  quarantined(request: AccountEventsRequest): AsyncIterable<string>;
}

/** Without a warehouse there are no stored events; the quarantine is in PostgreSQL. */
export function createAccountEvents(
  {
    warehouse,
    quarantine,
  }: {
    readonly warehouse: Pick<Warehouse, 'exportAccount'> | null;
    readonly quarantine: Pick<Quarantine, 'exportAccount'>;
  },
  now: () => number,
): AccountEvents {
  return {
    async *events({ accountId, projectIds, signal }) {
      if (warehouse === null) return;
      const receivedUntilMs = now() + clockMarginMs;
      for (const projectId of projectIds) {
        const pages = warehouse.exportAccount({ projectId, accountId, receivedUntilMs }, signal);
        for await (const page of pages) yield* lines(page.toString());
      }
    },
    async *quarantined({ accountId, projectIds, signal }) {
      for (const projectId of projectIds) {
        for await (const entry of quarantine.exportAccount(projectId, accountId)) {
          signal.throwIfAborted();
          yield JSON.stringify(entry);
        }
      }
    },
  };
}

/** How far the clock of a gateway may be ahead. */
const clockMarginMs = 60_000;

function* lines(page: string): Generator<string> {
  for (const line of page.split('\n')) if (line !== '') yield line;
}
