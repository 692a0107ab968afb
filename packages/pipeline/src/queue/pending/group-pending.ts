import { readJobName } from '../chunks/chunk.ts';
import { joinRanges, type Range } from '../chunks/ranges.ts';
import type { PendingChunks, PendingGroup } from '../stores/queue-store.ts';

/** Groups chunks by project and process, which are in the names of their jobs. */
export function groupPending(names: readonly string[]): Omit<PendingChunks, 'complete'> {
  const groups = new Map<
    string,
    { projectId: string; producer: string | null; events: number; ranges: Range[] }
  >();
  for (const name of names) {
    const named = readJobName(name);
    if (named === null) continue;
    const { projectId, count, sent } = named;
    const producer = sent?.producer ?? null;
    const key = `${projectId} ${producer ?? ''}`;
    const group = groups.get(key) ?? { projectId, producer, events: 0, ranges: [] };
    group.events += count;
    if (sent !== null) group.ranges.push([sent.start, sent.start + count]);
    groups.set(key, group);
  }
  const joined = groups
    .values()
    .map((group): PendingGroup => ({ ...group, ranges: joinRanges(group.ranges) }));
  return { chunks: names.length, groups: [...joined] };
}

export interface PendingEvents {
  /** The number of accepted events by project that no worker has acknowledged yet. */
  readonly byProject: ReadonlyMap<string, number>;
  /** Their positions, by project and the process that accepted them. */
  readonly ranges: ReadonlyMap<string, ReadonlyMap<string, readonly Range[]>>;
  readonly chunks: number;
  /** False if the queue has more jobs than were read. Then the numbers are too small. */
  readonly complete: boolean;
}

/** Over all stores. */
export function sumPending(stores: readonly PendingChunks[]): PendingEvents {
  const byProject = new Map<string, number>();
  const ranges = new Map<string, Map<string, Range[]>>();
  for (const { projectId, producer, events, ranges: some } of stores.flatMap((store) => store.groups)) {
    byProject.set(projectId, (byProject.get(projectId) ?? 0) + events);
    if (producer === null) continue;
    const ofProject = ranges.get(projectId) ?? new Map<string, Range[]>();
    ofProject.set(producer, joinRanges([...(ofProject.get(producer) ?? []), ...some]));
    ranges.set(projectId, ofProject);
  }
  const chunks = stores.reduce((sum, store) => sum + store.chunks, 0);
  return { byProject, ranges, chunks, complete: stores.every((store) => store.complete) };
}
