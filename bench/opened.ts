type Close = () => Promise<unknown>;

/** What was opened and must be closed again, the last first, whatever comes of it. */
export interface Opened {
  add(close: Close): void;
  /** Closes all of it once; rejects with the first fault when all were tried. */
  close(): Promise<void>;
}

const open = new Set<Opened>();

export function createOpened(): Opened {
  const closers: Close[] = [];
  const opened: Opened = {
    add: (close) => void closers.push(close),
    async close() {
      open.delete(opened);
      const faults: unknown[] = [];
      for (const close of closers.splice(0).reverse()) await close().catch((fault) => faults.push(fault));
      if (faults.length > 0) throw faults[0];
    },
  };
  open.add(opened);
  return opened;
}

/** Databases run in sessions of their own and would outlive a bench that is interrupted. */
export async function closeAllOpened(): Promise<void> {
  await Promise.allSettled([...open].map((opened) => opened.close()));
}
