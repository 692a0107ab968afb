import { countSignIns, type Database, inRealm, ownsInstallation } from '@tickrate/accounts';
import { type Quarantine, rateSeconds, readAccounts } from '@tickrate/pipeline';
import { RecentMap } from '@tickrate/platform';
import type { Registry } from '@tickrate/registry';
import type { Activity, Warehouse } from '@tickrate/warehouse';
import { timeOf } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { withTimeout } from '../calls/with-timeout.ts';
import type { PipelineDeps } from '../pipeline/pipeline-routes.ts';
import { findAttention } from './find-attention.ts';
import { getOverview } from './overview-operations.ts';

export interface OverviewDeps extends Omit<PipelineDeps, 'warehouse' | 'registry'> {
  readonly accounts: Database;
  readonly registry: Pick<Registry, 'viewFaultTypes'>;
  readonly quarantine: Pick<Quarantine, 'buckets' | 'count'>;
  readonly warehouse: Pick<Warehouse, 'activity' | 'status'>;
  readonly addresses: { readonly gateway: string | null; readonly auth: string | null };
}

const timeoutMs = 5_000;
const freshMs = 2_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;
const shownTypes = 8;
const mostProjects = 1_000;
const nothing = { accepted: 0, stored: 0, deduplicated: 0, dead: 0, pending: 0, missing: 0 };

/** However many people look at a project, it is read once in two seconds by each process. */
export function createOverviewRoutes(deps: OverviewDeps): ManagedRoute[] {
  const { accounts, now, addresses } = deps;
  const readings = new RecentMap<string, { readonly atMs: number; readonly reading: Promise<Reading> }>(
    mostProjects,
  );

  function readShared(projectId: string): Promise<Reading> {
    const known = readings.get(projectId);
    if (known !== undefined && now() - known.atMs < freshMs) return known.reading;
    const reading = withTimeout(timeoutMs, readProject(deps, projectId));
    readings.set(projectId, { reading, atMs: now() });
    // A failure is not kept: the next caller asks again.
    reading.catch(() => readings.delete(projectId));
    return reading;
  }

  return [
    managed(getOverview, async ({ caller: { projectId, accountId } }) => {
      const isOwner = accountId !== null && (await ownsInstallation(accounts, accountId));
      const { disk, queue, ...reading } = await readShared(projectId);
      const { events, rates, dead, rejected, viewFaults } = reading;
      const attention = findAttention({
        events,
        dead,
        rejected,
        viewFaults,
        oldestOpenSeconds: rates.oldestOpenSeconds,
        isWarehouseAvailable: reading.activity !== null,
        disk: isOwner ? disk : null,
        queue: isOwner ? (queue ?? []) : [],
      });
      return { ...showReading(reading), addresses: { ...addresses }, attention };
    }),
  ];
}

type Reading = Awaited<ReturnType<typeof readProject>>;

async function readProject(deps: OverviewDeps, projectId: string) {
  const { ledger, monitor, quarantine, accounts, registry, warehouse, now } = deps;
  const atMs = now();
  const toMs = atMs + minuteMs;
  const fromMs = Math.floor(atMs / minuteMs) * minuteMs - 59 * minuteMs;
  const orNull = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      deps.onFault(error);
      return null;
    });
  const [all, usage, rates, signIns, buckets, dead, viewFaults, activity, disk, queue] = await Promise.all([
    readAccounts({ ledger, pending: () => monitor.pending() }),
    ledger.usage([projectId]),
    ledger.insertRates(projectId),
    countSignIns(inRealm(accounts, projectId), atMs - hourMs),
    quarantine.buckets(projectId, { fromMs: atMs - 24 * hourMs, toMs, bucketSeconds: 600 }),
    quarantine.count(projectId, { kind: 'dead' }),
    registry.viewFaultTypes(projectId),
    orNull(warehouse.activity({ projectId, fromMs, toMs })),
    orNull(warehouse.status()),
    orNull(monitor.levels()),
  ]);
  return {
    atMs,
    fromMs,
    events: all.get(projectId) ?? nothing,
    usage: usage.get(projectId),
    rates,
    signIns,
    rejected: buckets.filter(({ kind }) => kind === 'rejected'),
    dead: dead.reduce((sum, { events }) => sum + events, 0),
    viewFaults,
    activity,
    disk,
    queue,
  };
}

function showReading({
  atMs,
  fromMs,
  events,
  usage,
  rates,
  signIns,
  rejected,
  activity,
}: Omit<Reading, 'disk' | 'queue'>) {
  const rejections = rejected
    .filter((each) => each.atMs >= atMs - hourMs)
    .reduce((sum, each) => sum + each.events, 0);
  const stored = activity?.minutes.reduce((sum, each) => sum + each.events, 0) ?? 0;
  const sent = stored + rejections;
  const { accepted, stored: storedEver, deduplicated, dead, pending, missing } = events;
  return {
    at: timeOf(atMs),
    events: { accepted, stored: storedEver, deduplicated, dead, pending, missing },
    usage: { today: usage?.today ?? 0, thisMonth: usage?.thisMonth ?? 0 },
    activity: activity && showActivity(activity, fromMs),
    signIns: { ...signIns },
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
function showActivity({ minutes, players, sessions }: Activity, fromMs: number) {
  const totals = new Map<string, number>();
  for (const { type, events } of minutes) totals.set(type, (totals.get(type) ?? 0) + events);
  const byFrequency = [...totals].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const shown = byFrequency.slice(0, shownTypes).map(([type]) => type);
  const lines = new Map<string | null, number[]>();
  for (const { atMs, type, events } of minutes) {
    const name = shown.includes(type) ? type : null;
    const line = lines.get(name) ?? new Array<number>(60).fill(0);
    const at = Math.min(59, Math.max(0, Math.floor((atMs - fromMs) / minuteMs)));
    line[at] = (line[at] ?? 0) + events;
    lines.set(name, line);
  }
  const order = [...shown, ...(lines.has(null) ? [null] : [])];
  return {
    from: timeOf(fromMs),
    players,
    sessions,
    types: order.map((type) => {
      const perMinute = lines.get(type) ?? [];
      return { type, perMinute, events: perMinute.reduce((sum, events) => sum + events, 0) };
    }),
  };
}
