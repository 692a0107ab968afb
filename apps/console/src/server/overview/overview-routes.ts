import { countSignIns, inRealm, ownsInstallation } from '@tickrate/accounts';
import { rateSeconds, readAccounts } from '@tickrate/pipeline';
import { RecentMap } from '@tickrate/platform';
import type { Activity } from '@tickrate/warehouse';
import type { ConsoleParts } from '../../parts.ts';
import { timeOf } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { orNull, withTimeout } from '../calls/with-timeout.ts';
import { findAttention } from './find-attention.ts';
import { getOverview, mostOverviewHours } from './overview-operations.ts';

const timeoutMs = 5_000;
const freshMs = 2_000;
/** A page that waits for the first event of a project learns of it in time. */
const freshOfEmptyMs = 250;
/** The share of the time in which a project is counted at most, however many people look at it. */
const countingShare = 0.05;
const hourMs = 3_600_000;
const minuteMs = 60_000;
const shownTypes = 8;
const mostProjects = 1_000;
const nothing = { accepted: 0, stored: 0, deduplicated: 0, dead: 0, pending: 0, missing: 0 };

/** However many people look at a project, each process reads it once in two seconds, and counts its events less often where that takes long. */
export function createOverviewRoutes(parts: ConsoleParts): ManagedRoute[] {
  const { accounts, addresses } = parts;
  const readings = new SharedReadings<Reading>(parts.now);
  const activities = new SharedReadings<CountedActivity>(parts.now);
  const readShared = (asked: Asked) =>
    readings.get(
      nameOf(asked),
      () => withTimeout(timeoutMs, readProject(parts, activities, asked)),
      ({ events }) => (events.accepted === 0 ? freshOfEmptyMs : freshMs),
    );

  return [
    managed(
      getOverview,
      async ({ caller: { projectId, accountId }, query: { hours = 1, by = 'occurred' } }) => {
        const isOwner = accountId !== null && (await ownsInstallation(accounts, accountId));
        const { disk, queue, ...reading } = await readShared({ projectId, hours, by });
        const { events, rates, dead, unmended, viewFaults } = reading;
        const attention = findAttention({
          events,
          dead,
          unmended,
          viewFaults,
          oldestOpenSeconds: rates.oldestOpenSeconds,
          oldestQueuedSeconds: queuedSeconds(reading.atMs, queue),
          isWarehouseAvailable: disk !== null,
          disk: isOwner ? disk : null,
          isQueueAvailable: queue !== null,
          queue: isOwner ? (queue ?? []) : [],
        });
        return { ...showReading(reading), addresses, attention };
      },
    ),
  ];
}

function queuedSeconds(atMs: number, queue: Reading['queue']): number {
  const oldest = (queue ?? []).map(({ oldestMs }) => oldestMs ?? atMs);
  return (atMs - Math.min(atMs, ...oldest)) / 1_000;
}

type Reading = Awaited<ReturnType<typeof readProject>>;

/** Shares a reading between all who ask for it while it is fresh. A failure is not kept: the next caller asks again. */
class SharedReadings<T> {
  readonly #now: () => number;
  readonly #kept = new RecentMap<string, { readonly reading: Promise<T>; untilMs: number }>(mostProjects);

  constructor(now: () => number) {
    this.#now = now;
  }

  get(name: string, read: () => Promise<T>, freshFor: (value: T, tookMs: number) => number): Promise<T> {
    const startedMs = this.#now();
    const known = this.#kept.get(name);
    if (known !== undefined && startedMs < known.untilMs) return known.reading;
    const kept = { reading: read(), untilMs: startedMs + timeoutMs };
    this.#kept.set(name, kept);
    kept.reading.then(
      (value) => {
        kept.untilMs = startedMs + freshFor(value, this.#now() - startedMs);
      },
      () => this.#kept.delete(name),
    );
    return kept.reading;
  }
}

interface Asked {
  readonly projectId: string;
  readonly hours: number;
  readonly by: 'occurred' | 'received';
}

function nameOf({ projectId, hours, by }: Asked): string {
  return `${projectId} ${hours} ${by}`;
}

interface CountedActivity {
  readonly activity: Activity;
  readonly hours: number;
  /** Within the first bucket. */
  readonly fromMs: number;
  readonly bucketSeconds: number;
}

async function readProject(parts: ConsoleParts, activities: SharedReadings<CountedActivity>, asked: Asked) {
  const { projectId, hours, by } = asked;
  const { usage, fleet, monitor, quarantine, accounts, registry, warehouse, now, onFault } = parts;
  const atMs = now();
  const toMs = atMs + minuteMs;
  // About as many buckets for a day as for two hours.
  const bucketSeconds = hours <= 2 ? 60 : 600;
  const fromMs = atMs - hours * hourMs;
  const count = async () => ({
    activity: await warehouse.activity({ projectId, by, fromMs, toMs, bucketSeconds }),
    hours,
    fromMs,
    bucketSeconds,
  });
  const counted = activities.get(nameOf(asked), count, (_, tookMs) =>
    Math.max(freshMs, tookMs / countingShare),
  );
  const [all, used, rates, signIns, buckets, unmended, dead, viewFaults, activity, disk, queue] =
    await Promise.all([
      readAccounts({ usage, pending: () => orNull(monitor.pending(), onFault) }),
      usage.ofProjects([projectId]),
      fleet.insertRates(projectId),
      countSignIns(inRealm(accounts, projectId), fromMs),
      quarantine.buckets(projectId, { fromMs: atMs - mostOverviewHours * hourMs, toMs, bucketSeconds: 600 }),
      quarantine.unmended(projectId, atMs - mostOverviewHours * hourMs),
      quarantine.count(projectId, { kind: 'dead' }),
      registry.viewFaultTypes(projectId),
      orNull(counted, onFault),
      orNull(warehouse.status(), onFault),
      orNull(monitor.levels(), onFault),
    ]);
  return {
    atMs,
    hours,
    events: all.get(projectId) ?? nothing,
    usage: used.get(projectId),
    rates,
    signIns,
    rejected: buckets.filter(({ kind }) => kind === 'rejected'),
    unmended,
    dead: dead.reduce((sum, { events }) => sum + events, 0),
    viewFaults,
    activity,
    disk,
    queue,
  };
}

function showReading({
  atMs,
  hours,
  events,
  usage,
  rates,
  signIns,
  rejected,
  activity,
}: Omit<Reading, 'disk' | 'queue'>) {
  const rejections = rejected
    .filter((each) => each.atMs >= atMs - hours * hourMs)
    .reduce((sum, each) => sum + each.events, 0);
  const stored = activity?.activity.buckets.reduce((sum, each) => sum + each.events, 0) ?? 0;
  const sent = stored + rejections;
  const { accepted, stored: storedEver, deduplicated, dead, pending, missing } = events;
  return {
    at: timeOf(atMs),
    events: { accepted, stored: storedEver, deduplicated, dead, pending, missing },
    usage: { today: usage?.today ?? 0, thisMonth: usage?.thisMonth ?? 0 },
    activity: activity && showActivity(activity),
    signIns,
    rejections: { events: rejections, share: sent === 0 ? 0 : rejections / sent },
    delivery: {
      eventsPerSecond: rates.events / rateSeconds,
      meanSeconds: rates.meanSeconds,
      p99Seconds: rates.p99Seconds,
      oldestOpenSeconds: rates.oldestOpenSeconds,
    },
  };
}

/** The most frequent types, and all others together. */
function showActivity({ activity, hours, fromMs, bucketSeconds }: CountedActivity) {
  const { buckets, players, sessions } = activity;
  const totals = new Map<string, number>();
  for (const { type, events } of buckets) totals.set(type, (totals.get(type) ?? 0) + events);
  const byFrequency = [...totals].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const shown = byFrequency.slice(0, shownTypes).map(([type]) => type);
  const bucketMs = bucketSeconds * 1_000;
  const firstMs = Math.floor(fromMs / bucketMs) * bucketMs;
  const length = (hours * hourMs) / bucketMs + 1;
  const lines = new Map<string | null, number[]>();
  for (const { atMs, type, events } of buckets) {
    const name = shown.includes(type) ? type : null;
    const line = lines.get(name) ?? new Array<number>(length).fill(0);
    const at = Math.min(length - 1, Math.max(0, Math.floor((atMs - firstMs) / bucketMs)));
    line[at] = (line[at] ?? 0) + events;
    lines.set(name, line);
  }
  const order = [...shown, ...(lines.has(null) ? [null] : [])];
  return {
    from: timeOf(firstMs),
    bucketSeconds,
    players,
    sessions,
    types: order.map((type) => {
      const perBucket = lines.get(type) ?? [];
      return { type, perBucket, events: perBucket.reduce((sum, events) => sum + events, 0) };
    }),
  };
}
