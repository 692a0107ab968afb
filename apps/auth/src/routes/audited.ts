import { type AuditAct, type InRealm, insertAudit } from '@tickrate/accounts';
import type { SessionCaller } from '../callers/call.ts';
import type { Ground } from '../sign-in/sign-in.ts';

interface Act {
  readonly act: AuditAct;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Writes an act of a signed-in account to the audit trail, in the transaction of the act. Details contain no secret.
 */
export type WriteAudit = (people: InRealm, call: SessionCaller, act: Act) => Promise<void>;

export function createWriteAudit({ newId, now }: Ground): WriteAudit {
  return (people, { session, context }, { act, details = {} }) =>
    insertAudit(people, {
      id: newId(),
      atMs: now(),
      projectId: session.project_id,
      act,
      details,
      accountId: session.account_id,
      sessionId: session.id,
      requestId: context.requestId,
      clientAddress: context.clientAddress,
    });
}
