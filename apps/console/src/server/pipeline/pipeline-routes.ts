import { type Database, ownsInstallation } from '@tickrate/accounts';
import {
  type InsertPace,
  type Ledger,
  paceSeconds,
  type QueueMonitor,
  readAccounts,
} from '@tickrate/pipeline';
import type { Registry } from '@tickrate/registry';
import type { Warehouse } from '@tickrate/warehouse';
import type { Caller } from '../calls/caller.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { within } from '../calls/within.ts';
import { getPipelineStatus } from './pipeline-operations.ts';

export interface PipelineDeps {
  readonly accounts: Database;
  readonly registry: Pick<Registry, 'viewFaults'>;
  readonly ledger: Pick<Ledger, 'accepted' | 'losses' | 'totals' | 'usage' | 'pace'>;
  readonly monitor: Pick<QueueMonitor, 'levels' | 'pending'>;
  readonly warehouse: Pick<Warehouse, 'status'>;
  readonly now: () => number;
  /** Receives the reason why a part of the answer is missing. */
  readonly onFault: (error: unknown) => void;
}

const timeoutMs = 5_000;
const nothing = { accepted: 0, stored: 0, pending: 0, deduplicated: 0, dead: 0, missing: 0 };

export function createPipelineRoutes(deps: PipelineDeps): ManagedRoute[] {
  const { ledger, monitor, registry } = deps;
  return [
    managed(getPipelineStatus, async ({ caller }) => {
      const { projectId } = caller;
      const [accounts, usage, pace, viewFaults, installation] = await within(
        timeoutMs,
        Promise.all([
          readAccounts({ ledger, pending: () => monitor.pending() }),
          ledger.usage([projectId]),
          ledger.pace(projectId),
          registry.viewFaults(projectId),
          installationFor(caller, deps),
        ]),
      );
      const { today = 0, thisMonth = 0 } = usage.get(projectId) ?? {};
      return {
        events: accounts.get(projectId) ?? nothing,
        usage: { today, thisMonth },
        viewFaults,
        inserts: showPace(pace),
        installation,
      };
    }),
  ];
}

/** Figures of all projects reveal the activity of others, so only the owner of the installation sees them. */
async function installationFor({ accountId }: Caller, deps: PipelineDeps) {
  const { accounts, ledger, monitor, warehouse, now, onFault } = deps;
  if (accountId === null || !(await ownsInstallation(accounts, accountId))) return null;
  const [levels, pace, stored] = await Promise.all([
    monitor.levels(),
    ledger.pace(null),
    warehouse.status().catch((error: unknown) => {
      onFault(error);
      return null;
    }),
  ]);
  return {
    queue: levels.map(({ depth, oldestMs, usedBytes, limitBytes }) => ({
      chunks: depth,
      oldestSeconds: oldestMs === null ? null : Math.max(0, (now() - oldestMs) / 1_000),
      usedBytes,
      limitBytes,
    })),
    inserts: showPace(pace),
    warehouse: stored && { ...stored },
  };
}

function showPace({ events, ...pace }: InsertPace) {
  return { eventsPerSecond: events / paceSeconds, ...pace };
}
