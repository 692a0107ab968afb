import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { readAcceptedDeclaration } from '@tickrate/events';
import type { Postgres } from '@tickrate/postgres';
import { createEventTypeWatch, type EventTypeRecord } from '@tickrate/registry';
import { type TypedView, type Warehouse, WarehouseFault } from '@tickrate/warehouse';

/** Keeps the typed views of ClickHouse up to date with the registry: all at the start, then each changed type. */
export function createTypedViews(options: {
  readonly postgres: Postgres;
  readonly warehouse: Pick<Warehouse, 'applyTypedView'>;
  readonly now: () => number;
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  onApplied(projectId: string, typeName: string): void;
  onFault(fault: unknown): void;
}) {
  const { postgres, warehouse, now, onFault, onApplied } = options;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let rejected = () => 0;

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const watch = createEventTypeWatch({
        postgres,
        now,
        onFault,
        isLasting: (fault) => fault instanceof WarehouseFault && !fault.transient,
        async onEventType(record) {
          await warehouse.applyTypedView(await viewOf(record));
          onApplied(record.projectId, record.name);
        },
      });
      rejected = watch.rejected;
      try {
        await watch.start();
        if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
      } catch (fault) {
        onFault(fault);
        await options.sleep(1_000, stopping.signal);
      }
      await watch.stop();
    }
  }

  return {
    /** Returns at once: events are stored even if a view is missing. Retries until the registry answers. */
    start() {
      running = follow();
    },
    /** Resolves when the views in progress are created. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
    /** How many event types have a view that ClickHouse rejects. */
    rejected: () => rejected(),
  };
}

/** The view contains the members of all versions. A description in the newest declaration describes the type. */
async function viewOf({ projectId, name, description, versions }: EventTypeRecord): Promise<TypedView> {
  const read: TypedView['versions'][number][] = [];
  for (const { version, declaration } of versions) {
    const result = readAcceptedDeclaration(declaration);
    if (result.ok) read.push({ version, columns: result.declaration.columns });
    await setImmediate();
  }
  return { projectId, typeName: name, description, versions: read };
}
