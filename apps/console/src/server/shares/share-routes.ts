import { closedObject, parameterInvalid, systemError } from '@tickrate/contract';
import type { Share } from '@tickrate/registry';
import type { ConsoleParts } from '../../parts.ts';
import { type Caller, holdRights, makerOf, nameOf } from '../calls/caller.ts';
import { recordId, withTimes } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { shareOperations as operations } from './share-operations.ts';

const dayMs = 86_400_000;
const place = closedObject({ id: recordId });

export function createShareRoutes({ registry, accounts, now }: ConsoleParts): ManagedRoute[] {
  return [
    managed(operations.createShare, async ({ caller, params: { id: dashboardId }, body: { days } }) => {
      const { projectId } = caller;
      const expiresMs = now() + days * dayMs;
      requireOutlasting(caller, expiresMs);
      const request = {
        projectId,
        dashboardId,
        expiresMs,
        createdBy: nameOf(caller),
        keyId: makerOf(caller),
      };
      const { share, token } = await accounts.transaction(async (tx) => {
        await holdRights(tx, registry, { caller, needed: ['queries:write'] });
        return registry.inTransaction(tx).createShare(request);
      });
      return { token, share: show(share) };
    }),
    managed(operations.listShares, ({ caller: { projectId }, query }) =>
      readPage(query, {
        place,
        read: (after, limit) => registry.sharePage({ projectId, limit, before: after?.id ?? null }),
        show,
      }),
    ),
    managed(operations.revokeShare, async ({ caller: { projectId }, params: { id } }) =>
      show(await registry.revokeShare({ projectId, id })),
    ),
  ];
}

/** A link works everywhere until it expires: throws for a key that does not. */
function requireOutlasting({ kind, principal }: Caller, expiresMs: number): void {
  if (kind !== 'administrative') return;
  if (principal.origins !== null) throw systemError('notPermitted');
  if (principal.expiresMs !== null && principal.expiresMs < expiresMs)
    throw parameterInvalid('days', 'longer than the key of this call');
}

function show({ projectId: _, ...share }: Share) {
  return withTimes(share);
}
