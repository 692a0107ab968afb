import type { Consumer } from '@tickrate/pipeline';

export type HoldReason = 'ledgerAway' | 'storeAway' | 'memoryFull';

export interface Intake {
  /** Takes no more chunks as long as one reason stands. */
  hold(reason: HoldReason): void;
  release(reason: HoldReason): void;
  readonly reasons: ReadonlySet<HoldReason>;
}

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

  return {
    reasons,
    hold(reason) {
      if (reasons.size === 0) follow(() => consumer.hold());
      reasons.add(reason);
    },
    release(reason) {
      if (reasons.delete(reason) && reasons.size === 0) follow(() => consumer.release());
    },
  };
}
