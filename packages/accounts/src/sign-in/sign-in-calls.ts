import type { AccountsDeps } from '../accounts-deps.ts';
import { acceptInvitations } from '../administrators/invitations.ts';
import {
  type AdministeredProject,
  findAdministeredProjects,
  findProjectRoles,
  hasAdministrator,
} from '../administrators/roles.ts';
import { isTrustedDevice } from '../credentials/devices.ts';
import { hashDevice } from '../credentials/password-tries.ts';
import { type AccountRow, findAccounts, findAddress } from '../people/accounts.ts';
import { foldAddress } from '../people/address.ts';
import { findOwners, type IdentityKey } from '../people/identities.ts';
import { type Act, type Actor, writeAuditUnlessErased } from '../records/audit.ts';
import { inRealm } from '../store/in-realm.ts';
import { findAnswer, repeatableMs } from './answers.ts';
import {
  type CompletedSignIn,
  completeSignIn,
  type SignInAnswer,
  type SignInCompletion,
} from './complete-sign-in.ts';

export interface AskedIdentity {
  readonly key: IdentityKey;
  /** The address that the platform confirms; null without one. */
  readonly verifiedAddress: string | null;
}

export interface IdentityOwner {
  readonly accountId: string | null;
  /** Without an owner: the account that has proved the confirmed address. */
  readonly emailAccountId: string | null;
}

export interface SignInAccount extends AccountRow {
  /** Granted in the project. */
  readonly roles: readonly string[];
}

interface AccountsAsked {
  readonly ids: readonly string[];
  /** Null for a built-in role: those cannot be granted in a project. */
  readonly projectId: string | null;
}

/** What a sign-in reads, and the transaction that completes it. */
export function createSignInCalls(deps: AccountsDeps) {
  const { db, box, now } = deps;

  async function findEmailAccount(realm: string, address: string): Promise<string | null> {
    const folded = foldAddress(address);
    const holder = await findAddress(inRealm(db, realm), folded);
    return holder?.verified ? holder.id : null;
  }

  return {
    /** In the order of the argument. */
    async findOwners(realm: string, asked: readonly AskedIdentity[]): Promise<IdentityOwner[]> {
      const keys = asked.map(({ key }) => key);
      const owners = await findOwners(inRealm(db, realm), keys);
      return Promise.all(
        asked.map(async ({ verifiedAddress }, at) => {
          const accountId = owners[at] ?? null;
          const address = accountId === null ? verifiedAddress : null;
          return {
            accountId,
            emailAccountId: address === null ? null : await findEmailAccount(realm, address),
          };
        }),
      );
    },

    async findAccounts(realm: string, { ids, projectId }: AccountsAsked): Promise<SignInAccount[]> {
      if (ids.length === 0) return [];
      const people = inRealm(db, realm);
      const rows = await findAccounts(people, ids);
      const roles = projectId === null ? null : await findProjectRoles(people, ids, projectId);
      return rows.map((row) => ({ ...row, roles: (roles?.get(row.id) ?? []).map(({ role }) => role) }));
    },

    isTrustedDevice: (realm: string, { accountId, device }: { accountId: string; device: string }) =>
      isTrustedDevice(inRealm(db, realm), { accountId, hash: hashDevice(deps, device), nowMs: now() }),

    hasAdministrator: () => hasAdministrator(db),

    /** The projects of an administrator, with those of the invitations that the account accepts now. */
    async findProjects(accountId: string): Promise<AdministeredProject[]> {
      await acceptInvitations(db, accountId, now());
      return findAdministeredProjects(db, accountId);
    },

    /** The text of the answer to the identical request; null without one that may be repeated. */
    async findAnswer(fingerprint: Buffer): Promise<string | null> {
      const sealed = await findAnswer(db, fingerprint, now() - repeatableMs);
      return sealed && box.open(sealed);
    },

    /** Records a refused or a repeated sign-in. */
    audit: (realm: string, entry: Act & { readonly actor: Actor }) =>
      writeAuditUnlessErased(deps, inRealm(db, realm), entry),

    complete: <Answer>(
      completion: SignInCompletion,
      answerOf: (completed: CompletedSignIn) => SignInAnswer<Answer>,
    ) => completeSignIn(deps, completion, answerOf),
  };
}
