import type { SentPositions, Usage } from '@tickrate/pipeline';
import type { Component, Lock } from '@tickrate/platform';
import type { AcceptedCounts } from './accepted-counts.ts';

/**
 * Reports to the ledger every second how many events this process has accepted since it started, and which of them the
 * queue confirmed. So a lost chunk is found although no later one arrives, and quotas include these events. The reports
 * contain totals, so a report that fails or arrives twice changes nothing.
 */
export function createAcceptedReporter(options: {
  readonly usage: Pick<Usage, 'reportAccepted'>;
  /** The name of this process, unique among all gateways that ever ran. */
  readonly producer: string;
  readonly counts: AcceptedCounts;
  /** Held while a report is in progress. */
  readonly reporting: Lock;
  readonly positions: Pick<SentPositions, 'unreported' | 'reported'>;
  readonly everyMs?: number;
  readonly onFault: (error: unknown) => void;
  /** Called after every report, before the next one. It must not reject. */
  readonly afterReport?: () => Promise<void>;
}): Component {
  const { usage, producer, counts, reporting, positions, everyMs = 1_000, onFault, afterReport } = options;
  let timer: NodeJS.Timeout | undefined;
  let isReporting = false;

  async function report(): Promise<void> {
    const totals = counts.takeChanged();
    const settled = positions.unreported();
    if (totals.size === 0 && settled.size === 0) return;
    try {
      await usage.reportAccepted(producer, totals, settled);
      positions.reported(settled);
      counts.reported(totals);
    } catch (error) {
      counts.putBack(totals);
      onFault(error);
    }
  }

  /** While the ledger hangs, one round waits for it and no others queue behind it. */
  async function round(): Promise<void> {
    if (isReporting) return;
    isReporting = true;
    await reporting.run(report);
    if (afterReport !== undefined) await reporting.run(afterReport);
    isReporting = false;
  }

  return {
    name: 'accepted-reporter',
    async start() {
      timer = setInterval(() => void round(), everyMs);
    },
    async stop() {
      clearInterval(timer);
      await reporting.run(report);
    },
  };
}
