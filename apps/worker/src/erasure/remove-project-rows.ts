import { peopleRemoval } from '@tickrate/accounts';
import type { ErasureWork } from '@tickrate/pipeline';
import type { Postgres } from '@tickrate/postgres';
import { projectRemoval } from '@tickrate/registry';

const removedAtATime = 1_000;

/**
 * Removes everything of a project from PostgreSQL, people first, in steps that delay nobody. Each step counts what it removed
 * in its own transaction, so a killed worker loses no count. Safe to repeat.
 */
export async function removeProjectRows(
  postgres: Postgres,
  work: Pick<ErasureWork, 'rowsRemoved'>,
  { id, projectId }: { readonly id: string; readonly projectId: string },
): Promise<void> {
  for (const { kind, sql } of [...peopleRemoval, ...projectRemoval]) {
    for (let rows = removedAtATime; rows === removedAtATime; ) {
      rows = await postgres.transaction(async (tx) => {
        const removed = await tx.query(sql, [projectId, removedAtATime]);
        if (removed.length > 0) await work.rowsRemoved(tx, id, { kind, rows: removed.length });
        return removed.length;
      });
    }
  }
}
