type Close = () => Promise<unknown>;

/** Opened resources, to be closed in reverse order in any case. */
export interface Opened {
  add(close: Close): void;
  /** Closes each resource once. Rejects with the first fault after trying all. */
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

/** Databases run in separate sessions and would outlive an interrupted bench. */
export async function closeAllOpened(): Promise<void> {
  await Promise.allSettled([...open].map((opened) => opened.close()));
}
