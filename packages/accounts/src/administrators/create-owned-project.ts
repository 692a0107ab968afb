import type { Postgres, Queryable } from '@tickrate/postgres';
import { addMember } from './members.ts';

interface OwnedProject<Created> {
  /** Null: the project has no owner yet. */
  readonly accountId: string | null;
  readonly nowMs: number;
  /** Creates the project in the transaction. */
  readonly create: (tx: Queryable) => Promise<Created>;
}

/** Creates a project and makes the account its owner, or does neither. */
export function createOwnedProject<Created extends { readonly project: { readonly id: string } }>(
  db: Postgres,
  { accountId, nowMs, create }: OwnedProject<Created>,
): Promise<Created> {
  return db.transaction(async (tx) => {
    const created = await create(tx);
    const projectId = created.project.id;
    if (accountId !== null) await addMember(tx, { accountId, projectId, role: 'owner', nowMs });
    return created;
  });
}
