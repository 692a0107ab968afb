import {
  findInvitation,
  findInvitations,
  insertInvitation,
  readAddress,
  scopesInProject,
  withdrawInvitation,
} from '@tickrate/accounts';
import { closedObject, objectNotFound, parameterInvalid, systemError } from '@tickrate/contract';
import Type from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import { holdRights, nameOf, requireAll, requireLasting, requireRole } from '../calls/caller.ts';
import { recordId, withTimes } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { invitationOperations as operations } from './invitation-operations.ts';

const dayMs = 24 * 3_600_000;
const usualLifeMs = 7 * dayMs;
const longestLifeMs = 30 * dayMs;
const sentences = {
  member: 'emailAddress: this address already belongs to a member of the project',
  invitation:
    'emailAddress: this address has an open invitation to the project; send that one again, or withdraw it',
};
const place = closedObject({ createdMs: Type.Integer(), id: recordId });

export function createInvitationRoutes(parts: ConsoleParts): ManagedRoute[] {
  const { accounts, registry } = parts;
  return [
    inviting(parts),
    managed(operations.listInvitations, ({ caller: { projectId }, query }) =>
      readPage(query, {
        place,
        read: (after, limit) => findInvitations(accounts, { projectId, after, limit }),
        show: withTimes,
      }),
    ),
    managed(operations.withdrawInvitation, async ({ caller, params: { invitationId: id } }) => {
      const { projectId } = caller;
      const invitation = await findInvitation(accounts, { projectId, id });
      if (invitation === null) throw objectNotFound('invitation', id);
      requireAll(caller, (await scopesInProject(registry, projectId, invitation.role)) ?? []);
      if (!(await withdrawInvitation(accounts, { projectId, id }))) {
        throw objectNotFound('invitation', id);
      }
      return withTimes(invitation);
    }),
  ];
}

function inviting({ accounts, registry, now, newId }: ConsoleParts): ManagedRoute {
  return managed(operations.inviteMember, async ({ caller, body }) => {
    requireLasting(caller);
    const email = readAddress(body.emailAddress);
    await requireRole(registry, caller, body.role);
    const { projectId } = caller;
    const nowMs = now();
    const invitation = {
      ...{ id: newId(), projectId, email, role: body.role, invitedBy: nameOf(caller) },
      ...{ nowMs, expiresMs: expiryOf(body.expires, nowMs) },
    };
    const outcome = await accounts.transaction(async (tx) => {
      const granted = await scopesInProject(registry.inTransaction(tx), projectId, body.role);
      await holdRights(tx, registry, { caller, needed: ['members:write', ...(granted ?? [])] });
      return insertInvitation(tx, invitation);
    });
    if (outcome === 'inviterGone')
      throw systemError('sessionExpired', { invalidSessionId: caller.principal.sessionId });
    if (outcome === 'tooMany') {
      throw systemError('objectNotEditable', { objectNotEditableReason: 'too many open invitations' });
    }
    if (typeof outcome === 'string') {
      const objectType = outcome === 'member' ? 'member' : 'invitation';
      const data = { objectType, invalidIdentifier: email.address };
      throw systemError('objectAlreadyExists', data, { fields: sentences[objectType] });
    }
    return withTimes(outcome);
  });
}

function expiryOf(given: string | undefined, nowMs: number): number {
  if (given === undefined) return nowMs + usualLifeMs;
  const expiresMs = Date.parse(given);
  if (expiresMs > nowMs && expiresMs <= nowMs + longestLifeMs) return expiresMs;
  throw parameterInvalid('expires', 'must be within the next 30 days');
}
