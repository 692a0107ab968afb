import { type Database, ownsInstallation } from '@tickrate/accounts';
import { createSchemaCheck } from '@tickrate/contract';
import {
  type Fleet,
  type InsertRates,
  type PipelineSample,
  type QueueMonitor,
  rateSeconds,
  readAccounts,
  type Usage,
} from '@tickrate/pipeline';
import type { Registry } from '@tickrate/registry';
import type { Warehouse } from '@tickrate/warehouse';
import type { Static } from 'typebox';
import type { Caller } from '../calls/caller.ts';
import { timeOf } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { orNull, withTimeout } from '../calls/with-timeout.ts';
import { getPipelineHistory, getPipelineStatus, pipelineSampleSchema } from './pipeline-operations.ts';
import type { InstallationState } from './pipeline-sampler.ts';

export interface PipelineDeps {
  readonly accounts: Database;
  readonly registry: Pick<Registry, 'viewFaults'>;
  readonly usage: Usage;
  readonly fleet: Pick<Fleet, 'insertRates' | 'insertHistory' | 'samples' | 'workers'>;
  readonly monitor: Pick<QueueMonitor, 'levels' | 'pending'>;
  readonly warehouse: Pick<Warehouse, 'status'>;
  readonly now: () => number;
  /** Receives the reason why a part of the answer is missing. */
  readonly onFault: (error: unknown) => void;
}

const timeoutMs = 5_000;
const nothing = { accepted: 0, stored: 0, pending: 0, deduplicated: 0, dead: 0, missing: 0 };

export function createPipelineRoutes(deps: PipelineDeps): ManagedRoute[] {
  const { usage, fleet, monitor, registry, onFault } = deps;
  return [
    managed(getPipelineStatus, async ({ caller }) => {
      const { projectId } = caller;
      const [accounts, used, rates, viewFaults, installation] = await withTimeout(
        timeoutMs,
        Promise.all([
          readAccounts({ usage, pending: () => orNull(monitor.pending(), onFault) }),
          usage.ofProjects([projectId]),
          fleet.insertRates(projectId),
          registry.viewFaults(projectId),
          installationFor(caller, deps),
        ]),
      );
      const { today = 0, thisMonth = 0 } = used.get(projectId) ?? {};
      return {
        events: accounts.get(projectId) ?? nothing,
        usage: { today, thisMonth },
        viewFaults,
        inserts: showRates(rates),
        installation,
      };
    }),
    historyRoute(deps),
  ];
}

function historyRoute(deps: PipelineDeps): ManagedRoute {
  const { accounts, fleet, now } = deps;
  return managed(getPipelineHistory, async ({ caller: { projectId, accountId }, query: { hours = 1 } }) => {
    const fromMs = now() - hours * 3_600_000;
    // About as many buckets for a day as for two hours.
    const bucketSeconds = hours <= 2 ? 60 : 600;
    const isOwner = accountId !== null && (await ownsInstallation(accounts, accountId));
    const [inserts, samples] = await withTimeout(
      timeoutMs,
      Promise.all([
        fleet.insertHistory({ projectId, fromMs, bucketSeconds }),
        isOwner ? fleet.samples(fromMs) : null,
      ]),
    );
    return {
      bucketSeconds,
      inserts: inserts.map(({ atMs, ...bucket }) => ({ at: timeOf(atMs), ...bucket })),
      installation: samples?.flatMap(showSample) ?? null,
    };
  });
}

/** A sample of another version of the process may lack something: it is left out. */
function showSample({ atMs, sample }: PipelineSample): Static<typeof pipelineSampleSchema>[] {
  const shown = { at: timeOf(atMs), ...sample };
  return createSchemaCheck(pipelineSampleSchema).accepts(shown) ? [shown] : [];
}

/** Figures of all projects reveal the activity of others, so only the owner of the installation sees them. */
async function installationFor({ accountId }: Caller, deps: PipelineDeps) {
  if (accountId === null || !(await ownsInstallation(deps.accounts, accountId))) return null;
  const [state, workers] = await Promise.all([readInstallation(deps), deps.fleet.workers()]);
  return {
    ...state,
    workers: workers.map(({ startedMs, seenMs, memoryBytes, ...worker }) => ({
      ...worker,
      started: timeOf(startedMs),
      memoryBytes: Math.round(memoryBytes),
      seen: timeOf(seenMs),
    })),
  };
}

type InstallationDeps = Pick<PipelineDeps, 'monitor' | 'warehouse' | 'now' | 'onFault'> & {
  readonly fleet: Pick<Fleet, 'insertRates'>;
};

/** The state of the whole pipeline, whoever asks. */
export async function readInstallation(deps: InstallationDeps): Promise<InstallationState> {
  const { fleet, monitor, warehouse, now, onFault } = deps;
  const [levels, rates, stored] = await Promise.all([
    orNull(monitor.levels(), onFault),
    fleet.insertRates(null),
    orNull(warehouse.status(), onFault),
  ]);
  return {
    queue:
      levels?.map(({ depth, oldestMs, usedBytes, limitBytes }) => ({
        chunks: depth,
        oldestSeconds: oldestMs === null ? null : Math.max(0, (now() - oldestMs) / 1_000),
        usedBytes,
        limitBytes,
      })) ?? null,
    inserts: showRates(rates),
    warehouse: stored,
  };
}

function showRates({ events, ...rates }: InsertRates) {
  return { eventsPerSecond: events / rateSeconds, ...rates };
}
