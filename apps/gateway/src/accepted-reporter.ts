import type { Ledger } from '@tickrate/pipeline';
import type { Component } from '@tickrate/platform';

export interface AcceptedReporter extends Component {
  /** Counts events that were answered with success. */
  count(projectId: string, events: number): void;
}

export interface AcceptedReporterOptions {
  readonly ledger: Pick<Ledger, 'reportAccepted'>;
  /** The name of this process among all gateways that ever ran. */
  readonly producer: string;
  readonly everyMs?: number;
  readonly onFault: (error: unknown) => void;
}

/**
 * Tells the ledger every second how many events this process has accepted since it started, so that a chunk that the
 * queue lost shows as a difference. Totals, not increments: a report that fails or comes twice changes nothing.
 */
export function createAcceptedReporter(options: AcceptedReporterOptions): AcceptedReporter {
  const { ledger, producer, everyMs = 1_000, onFault } = options;
  const totals = new Map<string, number>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let reporting: Promise<void> = Promise.resolve();

  async function report(): Promise<void> {
    const projects = [...changed];
    changed.clear();
    if (projects.length === 0) return;
    try {
      await ledger.reportAccepted(
        producer,
        new Map(projects.map((project) => [project, totals.get(project) ?? 0])),
      );
    } catch (error) {
      for (const project of projects) changed.add(project);
      onFault(error);
    }
  }

  function reportInTurn(): Promise<void> {
    reporting = reporting.then(report);
    return reporting;
  }

  return {
    name: 'accepted-reporter',
    count(projectId, events) {
      totals.set(projectId, (totals.get(projectId) ?? 0) + events);
      changed.add(projectId);
    },
    async start() {
      timer = setInterval(() => void reportInTurn(), everyMs);
    },
    async stop() {
      clearInterval(timer);
      await reportInTurn();
    },
  };
}
