import { type QuotasPolicy, systemError } from '@tickrate/contract';
import type { ProjectUsage, Usage } from '@tickrate/pipeline';
import type { Lock } from '@tickrate/platform';
import type { AcceptedCounts } from '../storing/accepted-counts.ts';

interface QuotaBookOptions {
  readonly usage: Pick<Usage, 'ofProjects'>;
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

/** The used quotas of projects, available without a round trip. */
export type QuotaBook = ReturnType<typeof createQuotaBook>;

/**
 * The last answer of the ledger plus the events that this process has accepted since. The events that other gateways
 * accepted in the last second are unknown: a quota can be exceeded by these, and by the requests in progress.
 */
export function createQuotaBook({ usage, counts, reporting, now, onFault }: QuotaBookOptions) {
  const pages = new Map<string, Page>();
  const opening = new Map<string, Promise<void>>();

  async function read(projectIds: readonly string[]): Promise<void> {
    const readMs = now();
    try {
      const found = await usage.ofProjects(projectIds);
      for (const [projectId, used] of found) {
        pages.set(projectId, { usage: used, readMs, askedMs: pages.get(projectId)?.askedMs ?? readMs });
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
    /**
     * Throws 8009 if the project has used up its quota of today or of this month. Only the first call for a project is
     * asynchronous. Unknown usage counts as zero.
     */
    check(projectId: string, quotas: QuotasPolicy): undefined | Promise<void> {
      if (typeof quotas.eventsPerDay !== 'number' && typeof quotas.eventsPerMonth !== 'number') return;
      if (!pages.has(projectId))
        return open(projectId).then(() => refuseWhenUsedUp(quotas, current(projectId)));
      refuseWhenUsedUp(quotas, current(projectId));
      return undefined;
    },
    /** Reads again what other gateways have accepted. Never rejects. */
    async refresh(): Promise<void> {
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

function refuseWhenUsedUp({ eventsPerDay, eventsPerMonth }: QuotasPolicy, usage: ProjectUsage): void {
  const ofDay = used(usage.today, eventsPerDay) ? usage.dayEndsInMs : 0;
  const ofMonth = used(usage.thisMonth, eventsPerMonth) ? usage.monthEndsInMs : 0;
  if (!used(usage.today, eventsPerDay) && !used(usage.thisMonth, eventsPerMonth)) return;
  const period = ofMonth >= ofDay ? 'month' : 'day';
  const retryAfterSeconds = Math.max(1, Math.ceil(Math.max(ofDay, ofMonth) / 1_000));
  throw systemError(
    'eventQuotaExceeded',
    { retryAfterSeconds },
    { fields: `the quota of this ${period}, which ends at midnight UTC` },
  );
}

function used(events: number, quota: number | null | undefined): boolean {
  return typeof quota === 'number' && events >= quota;
}
