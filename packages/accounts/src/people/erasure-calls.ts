import type { Queryable } from '@tickrate/postgres';
import type { AccountsDeps } from '../accounts-deps.ts';
import { takeFrom } from '../credentials/throttles.ts';
import { ownerOf, type SessionActor, writeAuditUnlessErased } from '../records/audit.ts';
import { lockAccounts } from '../sign-in/sessions/sessions.ts';
import { inRealm } from '../store/in-realm.ts';
import { type AccountData, readAccountData } from './account-data.ts';
import { type AccountErasure, type ErasureOutcome, eraseAccount } from './erase-account.ts';

export type ExportOutcome =
  | { readonly kind: 'exported'; readonly data: AccountData }
  | { readonly kind: 'limited'; readonly waitMs: number }
  | { readonly kind: 'unknown' };

interface EventErasures extends Pick<AccountErasure, 'statementOf'> {
  /** What a project does with the events of deleted accounts. */
  readonly modeOf: (tx: Queryable, projectId: string) => Promise<'remove' | 'mask'>;
}

const exportsAllowed = { burst: 3, perSecond: 3 / 3_600 };

/** The calls with which an account exports and erases its data. */
export function createErasureCalls(deps: AccountsDeps) {
  const { db, keyring, now, newId } = deps;
  return {
    async export(by: SessionActor): Promise<ExportOutcome> {
      const { account_id: accountId, realm } = by.session;
      const asked = { bucket: keyring.mac('export', accountId), allowance: exportsAllowed };
      const waitMs = await takeFrom(db, [asked], { nowMs: now(), count: 1 });
      if (waitMs !== null) return { kind: 'limited', waitMs };
      await writeAuditUnlessErased(deps, inRealm(db, realm), { ...ownerOf(by), act: 'accountExported' });
      const data = await db.transaction((tx) => readAccountData(tx, { realm, accountId }));
      return data === null ? { kind: 'unknown' } : { kind: 'exported', data };
    },

    /** Deletes the account, and requests the erasure of its events, or does neither. */
    erase: (by: SessionActor, { modeOf, statementOf }: EventErasures): Promise<ErasureOutcome> =>
      db.transaction(async (tx) => {
        const { account_id: accountId, realm } = by.session;
        const people = inRealm(tx, realm);
        await lockAccounts(people, [accountId]);
        await writeAuditUnlessErased(deps, people, { ...ownerOf(by), act: 'accountErased' });
        return eraseAccount(tx, {
          realm,
          accountId,
          newId,
          requestedBy: 'the account',
          statementOf,
          modeOf: (projectId) => modeOf(tx, projectId),
        });
      }),
  };
}
