import type { Lane } from '@tickrate/pipeline';

export interface LaneChooserOptions {
  /** Bytes per second up to which every project uses the express lane. */
  readonly expressBytes: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

interface Flow {
  /** Of the last seconds, with less weight on older ones. */
  bytes: number;
  atMs: number;
}

const memoryMs = 2_000;
const sweepMs = 1_000;
/** If another project sends this many times as much, a project counts as small. */
const overshadowed = 4;

/**
 * A project is large if its chunks of the last two seconds have more than `expressBytes` per second, and more than a
 * quarter of the bytes of the busiest project. Alone, it uses the bulk lane with all its workers.
 */
export function createLaneChooser({ expressBytes, now }: LaneChooserOptions) {
  const flows = new Map<string, Flow>();
  const allowed = (expressBytes * memoryMs) / 1_000;
  let busiest = 0;
  let sweptMs = now();

  function bytesOf(flow: Flow | undefined): number {
    return flow === undefined ? 0 : flow.bytes * Math.exp((flow.atMs - now()) / memoryMs);
  }

  function sweep(): void {
    if (now() - sweptMs < sweepMs) return;
    sweptMs = now();
    busiest = 0;
    for (const [projectId, flow] of flows) {
      const bytes = bytesOf(flow);
      busiest = Math.max(busiest, bytes);
      if (bytes < allowed / 1_000) flows.delete(projectId);
    }
  }

  const laneOf = (bytes: number): Lane =>
    bytes > allowed && bytes > busiest / overshadowed ? 'bulk' : 'express';

  return {
    /** The lane of a chunk that is sent now. Its bytes count for the next chunk. */
    choose(projectId: string, added: number): Lane {
      sweep();
      const bytes = bytesOf(flows.get(projectId)) + added;
      flows.set(projectId, { bytes, atMs: now() });
      busiest = Math.max(busiest, bytes);
      return laneOf(bytes);
    },
    /** The lane that its next chunk would take. */
    of: (projectId: string) => laneOf(bytesOf(flows.get(projectId))),
  };
}
