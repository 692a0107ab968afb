import {
  changeRole,
  type Database,
  findMember,
  findMembers,
  type Member,
  type MemberChange,
  memberVersion,
  removeMember as removeFromProject,
} from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import type { Registry } from '@tickrate/registry';
import Type from 'typebox';
import { type Caller, requireAll, requireLasting } from '../calls/caller.ts';
import { closed, timeOf } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { editMember, getMember, listMembers, listRoles, removeMember } from './member-operations.ts';
import { requireRole, rolesOfProject, scopesInProject } from './roles-of-project.ts';

export interface MemberRouteDeps {
  readonly accounts: Database;
  readonly registry: Pick<Registry, 'policies'>;
  readonly now: () => number;
}

const place = Type.Object({ grantedMs: Type.Integer(), accountId: Type.String({ maxLength: 30 }) }, closed);

export function createMemberRoutes(deps: MemberRouteDeps): ManagedRoute[] {
  return [...reading(deps), ...changing(deps)];
}

function reading({ accounts, registry }: MemberRouteDeps): ManagedRoute[] {
  return [
    managed(listMembers, ({ caller: { projectId }, query }) =>
      readPage(query, {
        place,
        read: (after, limit) => findMembers(accounts, { projectId, after, limit }),
        placeOf: ({ grantedMs, accountId }) => ({ grantedMs, accountId }),
        show: showMember,
      }),
    ),
    managed(getMember, async ({ caller, params }) =>
      showMember(await memberOf(accounts, caller, params.accountId)),
    ),
    managed(listRoles, async ({ caller }) => {
      const roles = await rolesOfProject(registry, caller.projectId);
      return { results: roles.map((role) => ({ ...role, scopes: [...role.scopes] })), next: null };
    }),
  ];
}

function changing({ accounts, registry, now }: MemberRouteDeps): ManagedRoute[] {
  /** Members with more rights than the caller are out of reach. */
  async function reachableMember(caller: Caller, accountId: string): Promise<Member> {
    const member = await memberOf(accounts, caller, accountId);
    requireAll(caller, (await scopesInProject(registry, caller.projectId, member.role)) ?? []);
    return member;
  }

  return [
    managed(editMember, async ({ caller, params: { accountId }, body: { version, role } }) => {
      requireLasting(caller);
      const member = await reachableMember(caller, accountId);
      if (memberVersion(member) !== version) throw systemError('objectChanged');
      await requireRole(registry, caller, role);
      const { projectId } = caller;
      return showMember(
        done(await changeRole(accounts, { projectId, accountId, version, role, nowMs: now() })),
      );
    }),
    managed(removeMember, async ({ caller, params: { accountId } }) => {
      const version = memberVersion(await reachableMember(caller, accountId));
      const { projectId } = caller;
      return showMember(
        done(await removeFromProject(accounts, { projectId, accountId, version, nowMs: now() })),
      );
    }),
  ];

  function done(change: MemberChange): Member {
    if (change === 'lastOwner') {
      throw systemError('objectNotEditable', { objectNotEditableReason: 'the last owner of the project' });
    }
    if (typeof change === 'string') throw systemError('objectChanged');
    return change;
  }
}

async function memberOf(accounts: Database, { projectId }: Caller, accountId: string): Promise<Member> {
  const member = await findMember(accounts, { projectId, accountId });
  if (member === null) {
    throw systemError('objectNotFound', { objectType: 'member', invalidIdentifier: accountId });
  }
  return member;
}

function showMember(member: Member) {
  const { grantedMs, ...rest } = member;
  return { ...rest, granted: timeOf(grantedMs), version: memberVersion(member) };
}
