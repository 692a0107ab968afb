import { ownsInstallation } from '@tickrate/accounts';
import { createSchemaCheck, type OperationAnswer } from '@tickrate/contract';
import { type InsertRates, type PipelineSample, rateSeconds, readAccounts } from '@tickrate/pipeline';
import type { Component } from '@tickrate/platform';
import type { Static } from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import type { Caller } from '../calls/caller.ts';
import { withTimes } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { orNull, withTimeout } from '../calls/with-timeout.ts';
import { pipelineOperations as operations, pipelineSampleSchema } from './pipeline-operations.ts';

const timeoutMs = 5_000;
const nothing = { accepted: 0, stored: 0, pending: 0, deduplicated: 0, dead: 0, missing: 0 };

export function createPipelineRoutes(parts: ConsoleParts): ManagedRoute[] {
  const { usage, fleet, monitor, registry, onFault } = parts;
  return [
    managed(operations.getPipelineStatus, async ({ caller }) => {
      const { projectId } = caller;
      const [accounts, used, rates, viewFaults, installation] = await withTimeout(
        timeoutMs,
        Promise.all([
          readAccounts({ usage, pending: () => orNull(monitor.pending(), onFault) }),
          usage.ofProjects([projectId]),
          fleet.insertRates(projectId),
          registry.viewFaults(projectId),
          installationFor(caller, parts),
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
    historyRoute(parts),
  ];
}

function historyRoute(parts: ConsoleParts): ManagedRoute {
  const { accounts, fleet, now } = parts;
  return managed(
    operations.getPipelineHistory,
    async ({ caller: { projectId, accountId }, query: { hours = 1 } }) => {
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
        inserts: inserts.map(withTimes),
        installation: samples?.flatMap(showSample) ?? null,
      };
    },
  );
}

/** A sample of another version of the process may lack something: it is left out. */
function showSample({ atMs, sample }: PipelineSample): Static<typeof pipelineSampleSchema>[] {
  const shown = { ...withTimes({ atMs }), ...sample };
  return createSchemaCheck(pipelineSampleSchema).accepts(shown) ? [shown] : [];
}

/** Figures of all projects reveal the activity of others, so only the owner of the installation sees them. */
async function installationFor({ accountId }: Caller, parts: ConsoleParts) {
  if (accountId === null || !(await ownsInstallation(parts.accounts, accountId))) return null;
  const [state, workers] = await Promise.all([readInstallation(parts), parts.fleet.workers()]);
  return {
    ...state,
    workers: workers.map((worker) => ({
      ...withTimes(worker),
      memoryBytes: Math.round(worker.memoryBytes),
    })),
  };
}

/** What a sample keeps. */
type InstallationState = Omit<
  NonNullable<OperationAnswer<typeof operations.getPipelineStatus>['installation']>,
  'workers'
>;

/** The state of the whole pipeline, whoever asks. */
async function readInstallation(parts: ConsoleParts): Promise<InstallationState> {
  const { fleet, monitor, warehouse, now, onFault } = parts;
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

const everyMs = 60_000;

/** Keeps a sample of the installation's pipeline each minute. Of several processes, the first one of a minute counts. */
export function createPipelineSampler(parts: ConsoleParts): Component {
  const { fleet, now, onFault } = parts;
  let timer: NodeJS.Timeout | undefined;
  let sampling: Promise<void> = Promise.resolve();
  const sample = async () => {
    const atMs = now();
    try {
      await fleet.keepSample({ atMs, sample: await readInstallation(parts) });
    } catch (error) {
      onFault(error);
    }
  };
  return {
    name: 'pipeline history',
    async start() {
      sampling = sample();
      timer = setInterval(() => {
        sampling = sampling.then(sample);
      }, everyMs);
    },
    async stop() {
      clearInterval(timer);
      await sampling;
    },
  };
}
