import type { Ledger, ProjectUsage } from '@tickrate/pipeline';
import type { Lock } from '@tickrate/platform';
import type { AcceptedCounts } from '../storing/accepted-counts.ts';

/** The used quotas of projects, available without a round trip. */
export interface QuotaBook {
  /** Synchronous from the second call for a project on. Never rejects: unknown usage counts as zero. */
  used(projectId: string): ProjectUsage | Promise<ProjectUsage>;
  /** Reads again what other gateways have accepted. Never rejects. */
  refresh(): Promise<void>;
}

export interface QuotaBookOptions {
  readonly ledger: Pick<Ledger, 'usage'>;
  readonly counts: Pick<AcceptedCounts, 'unreported'>;
  /** Held while accepted events are reported to the ledger. */
  readonly reporting: Lock;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}

interface Page {
  readonly usage: ProjectUsage;
  readonly readMs: number;
  askedMs: number;
}

const forgottenAfterMs = 60_000;
/** The longest time that the first request of a project waits for its usage. */
const timeoutMs = 1_000;
const nothing: ProjectUsage = { today: 0, thisMonth: 0, dayEndsInMs: 0, monthEndsInMs: 0 };

/**
 * The last answer of the ledger plus the events that this process has accepted since. The events that other gateways
 * accepted in the last second are unknown: a quota can be exceeded by these, and by the requests in progress.
 */
export function createQuotaBook({ ledger, counts, reporting, now, onFault }: QuotaBookOptions): QuotaBook {
  const pages = new Map<string, Page>();
  const opening = new Map<string, Promise<void>>();

  async function read(projectIds: readonly string[]): Promise<void> {
    const readMs = now();
    try {
      const found = await ledger.usage(projectIds);
      for (const [projectId, usage] of found) {
        pages.set(projectId, { usage, readMs, askedMs: pages.get(projectId)?.askedMs ?? readMs });
      }
    } catch (error) {
      onFault(error);
    }
  }

  function current(projectId: string): ProjectUsage {
    const page = pages.get(projectId) ?? { usage: nothing, readMs: now(), askedMs: now() };
    page.askedMs = now();
    pages.set(projectId, page);
    const unreported = counts.unreported(projectId);
    const elapsedMs = now() - page.readMs;
    const { today, thisMonth, dayEndsInMs, monthEndsInMs } = page.usage;
    return {
      today: today + unreported,
      thisMonth: thisMonth + unreported,
      dayEndsInMs: dayEndsInMs - elapsedMs,
      monthEndsInMs: monthEndsInMs - elapsedMs,
    };
  }

  function open(projectId: string): Promise<void> {
    const begun = opening.get(projectId);
    if (begun !== undefined) return begun;
    const reading = reporting.run(() => read([projectId]));
    const opened = Promise.race([reading, passed(timeoutMs)]);
    opening.set(projectId, opened);
    void opened.finally(() => opening.delete(projectId));
    return opened;
  }

  return {
    used: (projectId) =>
      pages.has(projectId) ? current(projectId) : open(projectId).then(() => current(projectId)),
    async refresh() {
      for (const [projectId, { askedMs }] of pages) {
        if (now() - askedMs > forgottenAfterMs) pages.delete(projectId);
      }
      if (pages.size > 0) await read([...pages.keys()]);
    },
  };
}

function passed(afterMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, afterMs).unref());
}
