import type { Ledger, SentPositions } from '@tickrate/pipeline';
import { type Component, createLock } from '@tickrate/platform';

export interface AcceptedReporter extends Component {
  /** Counts events that were answered with success. */
  count(projectId: string, events: number): void;
  /** How many events were counted and are not in the ledger yet. */
  unreported(projectId: string): number;
  /** Runs work while no report is under way. */
  betweenReports<T>(work: () => Promise<T>): Promise<T>;
}

export interface AcceptedReporterOptions {
  readonly ledger: Pick<Ledger, 'reportAccepted'>;
  /** The name of this process among all gateways that ever ran. */
  readonly producer: string;
  readonly positions: Pick<SentPositions, 'unreported' | 'reported'>;
  readonly everyMs?: number;
  readonly onFault: (error: unknown) => void;
  /** Called after every report, before the next one. It must not reject. */
  readonly afterReport?: () => Promise<void>;
}

/**
 * Reports to the ledger every second how many events this process has accepted since it started, and which of them the
 * queue confirmed. So a lost chunk is found although no later one arrives, and quotas know what is used. It reports totals, not increments: a report that fails or
 * arrives twice changes nothing.
 */
export function createAcceptedReporter(options: AcceptedReporterOptions): AcceptedReporter {
  const { ledger, producer, positions, everyMs = 1_000, onFault, afterReport } = options;
  const totals = new Map<string, number>();
  const reported = new Map<string, number>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const lock = createLock();
  let isReporting = false;

  async function report(): Promise<void> {
    const told = new Map([...changed].map((project) => [project, totals.get(project) ?? 0]));
    changed.clear();
    const settled = positions.unreported();
    if (told.size === 0 && settled.size === 0) return;
    try {
      await ledger.reportAccepted(producer, told, settled);
      positions.reported(settled);
      for (const [project, total] of told) reported.set(project, total);
    } catch (error) {
      for (const project of told.keys()) changed.add(project);
      onFault(error);
    }
  }

  /** While the ledger hangs, one round waits for it and no others queue behind it. */
  async function round(): Promise<void> {
    if (isReporting) return;
    isReporting = true;
    await lock.run(report);
    if (afterReport !== undefined) await lock.run(afterReport);
    isReporting = false;
  }

  return {
    name: 'accepted-reporter',
    count(projectId, events) {
      totals.set(projectId, (totals.get(projectId) ?? 0) + events);
      changed.add(projectId);
    },
    unreported: (projectId) => (totals.get(projectId) ?? 0) - (reported.get(projectId) ?? 0),
    betweenReports: (work) => lock.run(work),
    async start() {
      timer = setInterval(() => void round(), everyMs);
    },
    async stop() {
      clearInterval(timer);
      await lock.run(report);
    },
  };
}
