import { type Consumer, type Lane, lanes } from '@tickrate/pipeline';
import { createLock } from '@tickrate/platform';

export type HoldReason = 'ledgerAway' | 'storeAway' | 'schemaBroken' | 'memoryFull';

interface IntakeEvents {
  held(reason: HoldReason): void;
  released(reason: HoldReason): void;
  dependencyFault(dependency: 'queue', fault: unknown): void;
}

/** Full memory stops the bulk lane only: the express lane has too few slots to fill memory, and must not wait. */
const heldBy: Readonly<Record<HoldReason, readonly Lane[]>> = {
  ledgerAway: lanes,
  storeAway: lanes,
  schemaBroken: lanes,
  memoryFull: ['bulk'],
};

export type Intake = ReturnType<typeof createIntake>;

export function createIntake(consumer: Pick<Consumer, 'hold' | 'release'>, events: IntakeEvents) {
  const reasons = new Set<HoldReason>();
  const lock = createLock();

  /** One after the other: BullMQ's pause and resume must not overlap. */
  function follow(change: () => Promise<void>): void {
    void lock.run(change).catch((fault: unknown) => events.dependencyFault('queue', fault));
  }

  function freeOf(reason: HoldReason): Lane[] {
    return heldBy[reason].filter((lane) => [...reasons].every((other) => !heldBy[other].includes(lane)));
  }

  return {
    reasons,
    /** Fetches no more chunks until every reason is released. */
    hold(reason: HoldReason) {
      if (!reasons.has(reason)) events.held(reason);
      const held = freeOf(reason);
      reasons.add(reason);
      if (held.length > 0) follow(() => consumer.hold(held));
    },
    release(reason: HoldReason) {
      if (!reasons.delete(reason)) return;
      events.released(reason);
      const released = freeOf(reason);
      if (released.length > 0) follow(() => consumer.release(released));
    },
  };
}
