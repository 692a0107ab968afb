import type { Lane } from '@tickrate/pipeline';

/** Keeps a project that floods the queue from slowing the others. */
export interface LaneChooser {
  /** The lane of a chunk that is sent now; its bytes count for the next. */
  choose(projectId: string, bytes: number): Lane;
  /** The lane that its next chunk would take. */
  of(projectId: string): Lane;
}

export interface LaneChooserOptions {
  /** Bytes a second up to which every project takes the express lane. */
  readonly expressBytes: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

interface Flow {
  /** Of the last seconds, the older ones counting less and less. */
  bytes: number;
  atMs: number;
}

const memoryMs = 2_000;
const sweepMs = 1_000;
/** Beside one that sends so many times as much, a project sends little. */
const overshadowed = 4;

/**
 * A project sends much when its chunks of the last two seconds are more than `expressBytes` for each, and more than a
 * quarter of what the busiest project sends. Alone it uses the bulk lane then, whose workers are all there for it.
 */
export function createLaneChooser({ expressBytes, now }: LaneChooserOptions): LaneChooser {
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
    choose(projectId, added) {
      sweep();
      const bytes = bytesOf(flows.get(projectId)) + added;
      flows.set(projectId, { bytes, atMs: now() });
      busiest = Math.max(busiest, bytes);
      return laneOf(bytes);
    },
    of: (projectId) => laneOf(bytesOf(flows.get(projectId))),
  };
}
