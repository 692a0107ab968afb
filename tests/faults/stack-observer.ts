import {
  createQueueMonitor,
  createUsage,
  type ProjectAccount,
  QueueUnavailable,
  readAccounts,
} from '@tickrate/pipeline';
import { waitUntil } from '@tickrate/testkit';
import { createWarehouse } from '@tickrate/warehouse';
import type { FaultStack } from './fault-stack.ts';

/** Reads the stored events and the product's own figures, bypassing the faulty network. */
export interface StackObserver {
  account(projectId: string): Promise<ProjectAccount>;
  /** How often each numbered event is stored. */
  stored(projectId: string): Promise<Map<number, number>>;
  close(): Promise<void>;
}

const nothing: ProjectAccount = {
  accepted: 0,
  stored: 0,
  pending: 0,
  deduplicated: 0,
  dead: 0,
  missing: 0,
};

type Observed = Pick<FaultStack, 'postgresUrl' | 'queueUrl' | 'clickhouseUrl'> &
  Partial<Pick<FaultStack, 'queueShards'>>;

export async function observeStack({ queueShards = 1, ...stack }: Observed): Promise<StackObserver> {
  const usage = createUsage({ postgresUrl: stack.postgresUrl, maxConnections: 1 });
  const monitor = createQueueMonitor({ queueUrl: stack.queueUrl, shards: queueShards });
  const warehouse = createWarehouse({ clickhouseUrl: stack.clickhouseUrl });
  await monitor.start();
  return {
    async account(projectId) {
      let account = nothing;
      const read = async () => {
        try {
          const accounts = await readAccounts({ usage, pending: () => monitor.pending() });
          account = accounts.get(projectId) ?? nothing;
          return true;
        } catch (fault) {
          // Its own connections to a Redis that was restarted open a moment later than those of the product.
          if (fault instanceof QueueUnavailable) return false;
          throw fault;
        }
      };
      await waitUntil(read, { timeoutMs: 30_000, what: 'an answer of the queue to the observer' });
      return account;
    },
    async stored(projectId) {
      const rows = await warehouse.query<{ n: string | number; rows: string | number }>(
        'SELECT data.n.:Int64 AS n, count() AS rows FROM tickrate.events WHERE project = {project:String} GROUP BY n',
        // Every event of a round is compared, however fast the machine was.
        { parameters: { project: projectId }, mostRows: 10_000_000 },
      );
      return new Map(rows.map(({ n, rows: count }) => [Number(n), Number(count)]));
    },
    async close() {
      await Promise.all([usage.close(), monitor.stop(), warehouse.close()]);
    },
  };
}
