import {
  changeRole,
  type Database,
  findInvitationsOf,
  findMember,
  findMembers,
  limitRights,
  type Member,
  memberVersion,
  nameOfKey,
  type Queryable,
  removeMember,
  rolesOfProject,
  rolesToGive,
  scopesInProject,
} from '@tickrate/accounts';
import { closedObject, commonScopes, isPermitted, objectNotFound, systemError } from '@tickrate/contract';
import type { Registry } from '@tickrate/registry';
import Type from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import { type Caller, holdRights, requireAll, requireLasting, requireRole } from '../calls/caller.ts';
import { withTimes } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { memberOperations as operations } from './member-operations.ts';

const place = closedObject({ grantedMs: Type.Integer(), accountId: Type.String({ maxLength: 30 }) });

export function createMemberRoutes(parts: ConsoleParts): ManagedRoute[] {
  return [...reading(parts), ...changing(parts)];
}

function reading({ accounts, registry, now }: ConsoleParts): ManagedRoute[] {
  return [
    managed(operations.listMembers, ({ caller: { projectId }, query }) =>
      readPage(query, {
        place,
        read: (after, limit) => findMembers(accounts, { projectId, after, limit }),
        show: showMember,
      }),
    ),
    managed(operations.getMember, async ({ caller, params }) =>
      showMember(await memberOf(accounts, caller, params.accountId)),
    ),
    managed(operations.listMemberGrants, async ({ caller, params, query }) => {
      const { projectId } = caller;
      const { accountId } = await memberOf(accounts, caller, params.accountId);
      const asked = { projectId, accountId, role: query.role ?? null, nowMs: now() };
      return findGrants(accounts, registry, asked);
    }),
    managed(operations.listRoles, async ({ caller }) => {
      return { results: await rolesOfProject(registry, caller.projectId), next: null };
    }),
  ];
}

function changing({ accounts, registry, now }: ConsoleParts): ManagedRoute[] {
  /** Members with more rights than the caller are out of reach. */
  async function reachableMember(caller: Caller, accountId: string): Promise<Member> {
    const member = await memberOf(accounts, caller, accountId);
    requireAll(caller, (await scopesInProject(registry, caller.projectId, member.role)) ?? []);
    return member;
  }

  /** Both accounts are locked: a caller that just lost a right changes nobody, itself included. */
  function changeOf(caller: Caller, member: Member, role: string | null) {
    const { projectId } = caller;
    const { accountId } = member;
    return {
      ...{ projectId, accountId, version: memberVersion(member), nowMs: now(), by: caller.accountId },
      async before(tx: Queryable) {
        const { policies } = registry.inTransaction(tx);
        const roles = [member.role, ...(role === null ? [] : [role])];
        const scopes = await Promise.all(roles.map((each) => scopesInProject({ policies }, projectId, each)));
        await holdRights(tx, registry, {
          caller,
          needed: ['members:write', ...scopes.flatMap((each) => each ?? [])],
        });
      },
      after: (tx: Queryable) => limitRights(tx, registry.inTransaction(tx), { projectId, accountId }),
    };
  }

  return [
    managed(operations.editMember, async ({ caller, params: { accountId }, body: { version, role } }) => {
      requireLasting(caller);
      const member = await reachableMember(caller, accountId);
      if (memberVersion(member) !== version) throw systemError('objectChanged');
      await requireRole(registry, caller, role);
      return showMember(await changeRole(accounts, { ...changeOf(caller, member, role), role }));
    }),
    managed(operations.removeMember, async ({ caller, params: { accountId } }) => {
      const member = await reachableMember(caller, accountId);
      return showMember(await removeMember(accounts, changeOf(caller, member, null)));
    }),
  ];
}

async function memberOf(accounts: Database, { projectId }: Caller, accountId: string): Promise<Member> {
  const member = await findMember(accounts, { projectId, accountId });
  if (member === null) {
    throw objectNotFound('member', accountId);
  }
  return member;
}

function showMember(member: Member) {
  return { ...withTimes(member), version: memberVersion(member) };
}

interface Asked {
  readonly projectId: string;
  readonly accountId: string;
  /** The role that the member would get. Null for a removal. */
  readonly role: string | null;
  readonly nowMs: number;
}

/**
 * What a member made and what still works: keys, open invitations and links, also those of its keys. Each with what
 * `limitRights` would take from it.
 */
async function findGrants(accounts: Database, registry: Registry, { nowMs, role, ...maker }: Asked) {
  const inside = registry.inTransaction(accounts);
  const made = await inside.keysMadeBy(maker);
  const keys = made.filter(
    ({ revokedMs, expiresMs }) => revokedMs === null && (expiresMs ?? Number.POSITIVE_INFINITY) > nowMs,
  );
  const keyIds = made.map(({ id }) => id);
  const invitedBy = [maker.accountId, ...keyIds.map(nameOfKey)];
  const invitations = await findInvitationsOf(accounts, { projectId: maker.projectId, invitedBy, nowMs });
  const shares = await inside.sharesOf({ ...maker, keyIds });
  const scopes = (role === null ? null : await scopesInProject(inside, maker.projectId, role)) ?? [];
  const kept = new Map([[maker.accountId, await rolesToGive(inside, maker.projectId, scopes)]]);
  for (const key of made) {
    const left = commonScopes(key.scopes, scopes);
    kept.set(nameOfKey(key.id), await rolesToGive(inside, maker.projectId, left));
  }
  return {
    keys: keys.map(({ id, prefix, ending, comment, kind, scopes: held }) => {
      const loses = held.filter((scope) => !isPermitted(scopes, scope));
      return { id, prefix, ending, comment, kind, scopes: held, loses };
    }),
    invitations: invitations.map(({ id, emailAddress, role: invitedAs, invitedBy: by }) => {
      const ends = kept.get(by)?.includes(invitedAs) !== true;
      return { id, emailAddress, role: invitedAs, ends };
    }),
    shares: shares.map(({ id, dashboardName }) => {
      return { id, dashboardName, ends: !isPermitted(scopes, 'queries:write') };
    }),
  };
}
