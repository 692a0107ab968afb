import { type QuotasPolicy, systemError } from '@tickrate/contract';
import type { ProjectUsage } from '@tickrate/pipeline';
import type { QuotaBook } from './quota-book.ts';

/** Throws 8009 if the project has used up its quota of today or of this month. Only the first call is asynchronous. */
export type CheckQuota = (projectId: string, quotas: QuotasPolicy) => undefined | Promise<void>;

export function createCheckQuota(book: Pick<QuotaBook, 'used'>): CheckQuota {
  return (projectId, quotas) => {
    if (typeof quotas.eventsPerDay !== 'number' && typeof quotas.eventsPerMonth !== 'number') return;
    const used = book.used(projectId);
    if (used instanceof Promise) return used.then((usage) => refuseWhenUsedUp(quotas, usage));
    refuseWhenUsedUp(quotas, used);
    return undefined;
  };
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
