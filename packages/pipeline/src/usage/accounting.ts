import { intersectRanges, type Range, sizeOfRanges } from '../queue/chunks/ranges.ts';
import { type PendingEvents, sumPending } from '../queue/pending/group-pending.ts';
import type { ProjectTotals, Usage } from './usage.ts';

/** Where the events of a project are, since the beginning. */
export interface ProjectAccount {
  readonly accepted: number;
  readonly stored: number;
  readonly pending: number;
  readonly deduplicated: number;
  readonly dead: number;
  /** Accepted events that are lost. Anything but 0 is an alarm. Null while the queue is too long to be read, or away. */
  readonly missing: number | null;
}

/**
 * For each project `accepted = stored + pending + deduplicated + dead + missing` at any time. The places are read in the
 * order in which events travel. So an event that moves meanwhile is counted twice and never missed, and traffic alone
 * never looks like a loss. Events in the queue that no gateway has reported yet were accepted, too.
 */
export async function readAccounts(sources: {
  readonly usage: Pick<Usage, 'totals'>;
  /** Null while the queue, or a part of it, cannot be read. */
  pending(): Promise<PendingEvents | null>;
}): Promise<Map<string, ProjectAccount>> {
  const { usage } = sources;
  const before = await usage.totals();
  const queued = (await sources.pending()) ?? sumPending([{ chunks: 0, groups: [], complete: false }]);
  const after = await usage.totals();
  const accounts = new Map<string, ProjectAccount>();
  for (const project of new Set([...after.keys(), ...queued.byProject.keys()])) {
    const inQueue = queued.byProject.get(project) ?? 0;
    const [was, is] = [before.get(project), after.get(project)];
    const { stored = 0, deduplicated = 0, dead = 0 } = is ?? {};
    const ended = stored + deduplicated + dead;
    const nowhere = (was?.accepted ?? 0) - inQueue - ended;
    const unarrived = countUnarrived(was, queued.ranges.get(project), is);
    // Sums hide a loss behind other events. Positions do not show a sealed chunk that is lost until somebody looks for it.
    const lost = Math.max(0, nowhere, unarrived + (is?.lost ?? 0));
    const missing = queued.complete ? lost : null;
    const endedBefore = (was?.stored ?? 0) + (was?.deduplicated ?? 0) + (was?.dead ?? 0);
    const seen = Math.max(endedBefore + inQueue, ended) + (missing ?? 0);
    const accepted = Math.max(is?.accepted ?? 0, seen);
    const pending = accepted - ended - (missing ?? 0);
    accounts.set(project, { accepted, stored, deduplicated, dead, pending, missing });
  }
  return accounts;
}

/** Events that had not arrived before the queue was read, were not in the queue, and have not arrived since. */
function countUnarrived(
  before: ProjectTotals | undefined,
  queued: PendingRanges | undefined,
  after: ProjectTotals | undefined,
): number {
  let events = 0;
  for (const [producer, ranges] of before?.unarrived ?? []) {
    const still = intersectRanges(ranges, after?.unarrived.get(producer) ?? []);
    events += sizeOfRanges(still) - sizeOfRanges(intersectRanges(still, queued?.get(producer) ?? []));
  }
  return events;
}

type PendingRanges = ReadonlyMap<string, readonly Range[]>;
