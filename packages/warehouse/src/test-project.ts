import { connectClickHouse } from './clickhouse.ts';
import { frameOf, type TestType } from './test-rows.ts';
import { viewName } from './views/typed-view.ts';
import { createWarehouse, type Warehouse } from './warehouse.ts';

/** A project with its own database of views, for one test file. */
export interface TestProject {
  readonly projectId: string;
  readonly viewDatabase: string;
  readonly warehouse: Warehouse;
  store(type: TestType, ...events: readonly unknown[]): Promise<void>;
  /** Creates the view of one type over these versions, and returns its name. */
  applyView(...versions: readonly TestType[]): Promise<string>;
  drop(): Promise<void>;
}

interface TestProjectOptions {
  readonly url: string;
  readonly database: string;
  /** Creates UUIDs. */
  readonly newId: () => string;
}

export function createTestProject({ url, database, newId }: TestProjectOptions): TestProject {
  const projectId = `p-${newId().slice(-12)}`;
  const viewDatabase = projectId.replace('p-', 'project_p_');
  const warehouse = createWarehouse({ clickhouseUrl: url, database });
  return {
    projectId,
    viewDatabase,
    warehouse,
    async store(type, ...events) {
      const chunkId = newId();
      const rows = type.encode(
        events.map((event) => ({ event })),
        { chunkId, projectId },
      );
      const outcome = await warehouse.insertRows({ body: [frameOf(rows)], token: chunkId });
      if (outcome.kind !== 'stored') throw new Error(`not stored: ${outcome.message}`);
    },
    async applyView(...versions) {
      const typeName = versions[0]?.name ?? '';
      await warehouse.applyTypedView({ projectId, typeName, description: null, versions });
      return viewName(projectId, typeName);
    },
    async drop() {
      await warehouse.close();
      await runOn(url, `DROP DATABASE IF EXISTS ${viewDatabase} SYNC`);
    },
  };
}

/** Runs one statement outside the warehouse, like an operator. */
export async function runOn(url: string, sql: string): Promise<void> {
  const server = connectClickHouse({ url, maxConnections: 1 });
  try {
    await server.command(sql, { timeoutMs: 10_000 });
  } finally {
    await server.close();
  }
}
