import type { ErasureCertificate } from '@tickrate/contract';
import type { LeasedErasure } from '@tickrate/pipeline';
import { type EraseAccountDeps, eraseAccount } from './erase-account.ts';

export interface EraserOptions extends EraseAccountDeps {
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  onErased(certificate: ErasureCertificate): void;
  /** It is tried again. */
  onFault(fault: unknown): void;
  readonly everyMs?: number;
  /** After how long the erasures of a dead worker go to another one. */
  readonly leaseMs?: number;
}

export interface Eraser {
  start(): void;
  /** Resolves when the step under way has ended or was given up; what is half done is continued by the next start. */
  stop(): Promise<void>;
}

/** Carries out the erasures that were asked for, one after the other; of several workers one has each of them. */
export function createEraser(options: EraserOptions): Eraser {
  const { sleep, onFault, everyMs = 2_000 } = options;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await eraseAll(options, stopping.signal).catch((fault: unknown) => {
        if (!stopping.signal.aborted) onFault(fault);
      });
      await sleep(everyMs, stopping.signal);
    }
  }

  return {
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Each that is open once. */
async function eraseAll(options: EraserOptions, signal: AbortSignal): Promise<void> {
  const { work, leaseMs = 60_000 } = options;
  const looked: string[] = [];
  while (!signal.aborted) {
    const erasure = await work.lease(leaseMs, looked);
    if (erasure === null) return;
    looked.push(erasure.id);
    await eraseLeased(options, erasure, signal);
  }
}

async function eraseLeased(
  options: EraserOptions,
  erasure: LeasedErasure,
  signal: AbortSignal,
): Promise<void> {
  const { work, onErased, onFault, leaseMs = 60_000 } = options;
  const renewal = setInterval(() => void work.renew(erasure.id, leaseMs).catch(onFault), leaseMs / 3);
  try {
    const certificate = await eraseAccount(options, erasure, signal);
    if (certificate !== null) onErased(certificate);
    await work.release(erasure.id, null);
  } catch (fault) {
    if (!signal.aborted) onFault(fault);
    await work.release(erasure.id, signal.aborted ? null : String(fault).slice(0, 500));
  } finally {
    clearInterval(renewal);
  }
}
