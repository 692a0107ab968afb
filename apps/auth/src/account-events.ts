import type { Quarantine } from '@tickrate/pipeline';
import type { Warehouse } from '@tickrate/warehouse';

export interface AccountEventsRequest {
  readonly accountId: string;
  readonly projectIds: readonly string[];
  readonly signal: AbortSignal;
}

/** What an account has sent: JSON texts of one event each, read as they are taken. */
export interface AccountEvents {
  events(request: AccountEventsRequest): AsyncIterable<string>;
  /** Rejected ones, and those that could not be stored. */
  quarantined(request: AccountEventsRequest): AsyncIterable<string>;
}

/** Without a warehouse there is nothing to be read of it; what is quarantined lies in Postgres. */
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

/** By how much the clock of a gateway may be ahead. */
const clockMarginMs = 60_000;

function* lines(page: string): Generator<string> {
  for (const line of page.split('\n')) if (line !== '') yield line;
}
