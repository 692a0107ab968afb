import type { OperationAnswer } from '@tickrate/contract';
import type { getOverview } from './overview-operations.ts';

export type Attention = OperationAnswer<typeof getOverview>['attention'][number];

export interface ProjectState {
  readonly events: {
    readonly accepted: number;
    readonly pending: number;
    readonly missing: number | null;
  };
  /** Open dead letters. */
  readonly dead: number;
  /** Kinds that were rejected in the last day and are not mended yet. */
  readonly unmended: readonly {
    readonly type: string | null;
    readonly reason: string;
    readonly events: number;
  }[];
  /** Names of the event types whose view ClickHouse refuses. */
  readonly viewFaults: readonly string[];
  readonly oldestOpenSeconds: number | null;
  /** Of all projects: the age of the oldest chunk in the queue. */
  readonly oldestQueuedSeconds: number;
  readonly isQueueAvailable: boolean;
  readonly isWarehouseAvailable: boolean;
  /** Null for everybody except the owner of the installation. */
  readonly disk: { readonly diskFreeBytes: number; readonly diskTotalBytes: number } | null;
  /** The lanes of the queue, only for the owner of the installation. */
  readonly queue: readonly { readonly usedBytes: number; readonly limitBytes: number }[];
}

const longestWaitSeconds = 60;
const leastFreeShare = 0.1;
const fullQueueShare = 0.8;
const mostOfAKind = 5;
const severities = ['alarm', 'warning', 'info'] as const;

/** What somebody should look at, and where it is mended. The most severe first. */
export function findAttention(state: ProjectState): Attention[] {
  const { events, dead, oldestOpenSeconds, oldestQueuedSeconds, disk, queue } = state;
  const pipeline = { page: 'pipeline' } as const;
  const found: Attention[] = [];
  if (events.missing !== null && events.missing > 0) {
    found.push({ kind: 'eventsMissing', severity: 'alarm', count: events.missing, target: pipeline });
  }
  if (!state.isQueueAvailable) {
    found.push({ kind: 'queueUnavailable', severity: 'alarm', count: null, target: pipeline });
  }
  if (!state.isWarehouseAvailable) {
    found.push({ kind: 'warehouseUnavailable', severity: 'alarm', count: null, target: pipeline });
  }
  const waitSeconds = Math.max(oldestOpenSeconds ?? 0, events.pending > 0 ? oldestQueuedSeconds : 0);
  if (waitSeconds > longestWaitSeconds) {
    const count = Math.floor(waitSeconds);
    found.push({ kind: 'insertsDelayed', severity: 'warning', count, target: pipeline });
  }
  if (disk !== null && disk.diskFreeBytes < disk.diskTotalBytes * leastFreeShare) {
    found.push({ kind: 'diskFull', severity: 'alarm', count: null, target: pipeline });
  }
  if (queue.some(({ usedBytes, limitBytes }) => usedBytes >= limitBytes * fullQueueShare)) {
    found.push({ kind: 'queueFull', severity: 'alarm', count: null, target: pipeline });
  }
  if (dead > 0) {
    const target = { page: 'quarantine', kind: 'dead' } as const;
    found.push({ kind: 'deadLetters', severity: 'warning', count: dead, target });
  }
  found.push(...rejectedEvents(state), ...viewFaults(state));
  if (events.accepted === 0 && state.unmended.length === 0) {
    found.push({ kind: 'noEvents', severity: 'info', count: null, target: { page: 'firstEvent' } });
  }
  return found.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

function rejectedEvents({ unmended }: ProjectState): Attention[] {
  return unmended
    .toSorted((a, b) => b.events - a.events)
    .slice(0, mostOfAKind)
    .map(({ type, reason, events }) => ({
      kind: 'rejectedEvents',
      severity: 'warning',
      count: events,
      target: { page: 'quarantine', kind: 'rejected', type, reason },
    }));
}

function viewFaults({ viewFaults: types }: ProjectState): Attention[] {
  return types.slice(0, mostOfAKind).map((type) => ({
    kind: 'viewFault',
    severity: 'warning',
    count: null,
    target: { page: 'eventTypes', type },
  }));
}
