import { type Consumer, type Lane, lanes } from '@tickrate/pipeline';

export type HoldReason = 'ledgerAway' | 'storeAway' | 'schemaBroken' | 'memoryFull';

export interface Intake {
  /** Takes no more chunks as long as one reason stands. */
  hold(reason: HoldReason): void;
  release(reason: HoldReason): void;
  readonly reasons: ReadonlySet<HoldReason>;
}

/** What fills the memory is in bulk: there are too few slots for the express lane to do it, and it must not wait. */
const heldBy: Readonly<Record<HoldReason, readonly Lane[]>> = {
  ledgerAway: lanes,
  storeAway: lanes,
  schemaBroken: lanes,
  memoryFull: ['bulk'],
};

export function createIntake(
  consumer: Pick<Consumer, 'hold' | 'release'>,
  onFault: (fault: unknown) => void,
): Intake {
  const reasons = new Set<HoldReason>();
  let settled: Promise<void> = Promise.resolve();

  /** One after the other: BullMQ's pause and resume do not like to meet. */
  function follow(change: () => Promise<void>): void {
    settled = settled.then(change).catch(onFault);
  }

  function freeOf(reason: HoldReason): Lane[] {
    return heldBy[reason].filter((lane) => [...reasons].every((other) => !heldBy[other].includes(lane)));
  }

  return {
    reasons,
    hold(reason) {
      const held = freeOf(reason);
      reasons.add(reason);
      if (held.length > 0) follow(() => consumer.hold(held));
    },
    release(reason) {
      if (!reasons.delete(reason)) return;
      const released = freeOf(reason);
      if (released.length > 0) follow(() => consumer.release(released));
    },
  };
}
