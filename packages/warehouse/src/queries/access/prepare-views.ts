import { createHash } from 'node:crypto';
import type { ClickHouse } from '../../clickhouse.ts';
import type { WarehousePlace } from '../../table/events-table.ts';
import { createMaskedView, maskedDatabase, personalPaths, type TypedView } from '../../views/typed-view.ts';
import { createEventsView, createMaskedEventsView } from './events-view.ts';
import { makeView } from './make-view.ts';
import type { ProjectUsers } from './project-users.ts';

interface PrepareViewsDeps {
  readonly place: WarehousePlace;
  readonly timeoutMs: number;
  readonly users: Pick<ProjectUsers, 'definer'>;
}

const rememberedProjects = 10_000;
const madeAtOnce = 8;

/** Creates the views for a query, except the typed views. Each call throws a WarehouseFault. */
export type PrepareViews = ReturnType<typeof createPrepareViews>;

export function createPrepareViews(clickhouse: ClickHouse, deps: PrepareViewsDeps) {
  const { place, timeoutMs, users } = deps;
  const made = new Map<string, string>();

  async function unlessMade(name: string, digest: string, make: () => Promise<void>): Promise<void> {
    if (made.get(name) === digest) return;
    await make();
    if (made.size >= rememberedProjects) made.clear();
    made.set(name, digest);
  }

  const run = (statement: string) => makeView(clickhouse, statement, timeoutMs);

  async function makeMasked(projectId: string, types: readonly TypedView[]): Promise<void> {
    const definer = await users.definer(projectId);
    const hasPersonal = types.some(({ versions }) => personalPaths(versions).length > 0);
    const database = maskedDatabase(projectId);
    for (const sql of createMaskedEventsView(place, { projectId, database, hasPersonal }, definer)) {
      await run(sql);
    }
    const left = [...types];
    while (left.length > 0) {
      const next = left.splice(0, madeAtOnce);
      await Promise.all(next.map((view) => run(createMaskedView(place, view, definer))));
    }
  }

  return {
    /** Creates `events` at the first query of the project. */
    whole: (projectId: string) =>
      unlessMade(projectId, '', async () => {
        const definer = await users.definer(projectId);
        for (const statement of createEventsView(place, projectId, definer)) await run(statement);
      }),
    /** Creates all views without personal data again after a change of the types. */
    masked: (projectId: string, types: readonly TypedView[]) =>
      unlessMade(maskedDatabase(projectId), digestOf(types), () => makeMasked(projectId, types)),
  };
}

function digestOf(types: readonly TypedView[]): string {
  return createHash('sha256').update(JSON.stringify(types)).digest('hex');
}
