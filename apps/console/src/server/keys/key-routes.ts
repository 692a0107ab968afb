import { limitInvitationsOfKeys, nameOfKey, withdrawInvitationsOf } from '@tickrate/accounts';
import { closedObject, parameterInvalid, systemError } from '@tickrate/contract';
import { type KeyRecord, keyVersion } from '@tickrate/registry';
import Type from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import { type Caller, holdRights, makerOf, nameOf, requireAll } from '../calls/caller.ts';
import { recordId, withTimes } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { keyOperations as operations } from './key-operations.ts';

const place = closedObject({ createdMs: Type.Integer(), id: recordId });

export function createKeyRoutes(parts: ConsoleParts): ManagedRoute[] {
  return [...makingAndReading(parts), ...changing(parts)];
}

function makingAndReading({ registry, accounts }: ConsoleParts): ManagedRoute[] {
  return [
    managed(operations.createKey, async ({ caller, body }) => {
      const { kind, comment = '', scopes = [], origins, expires } = body;
      if (kind === 'public' && scopes.length > 0) {
        throw parameterInvalid('scopes', 'a public key cannot have scopes');
      }
      requireAll(caller, scopes);
      const { text, key } = await accounts.transaction(async (tx) => {
        await holdRights(tx, registry, { caller, needed: ['keys:write', ...scopes] });
        return registry.inTransaction(tx).createKey({
          projectId: caller.projectId,
          kind,
          comment,
          scopes,
          createdBy: nameOf(caller),
          ...(origins !== undefined && { origins }),
          ...(expires !== undefined && { expiresMs: expires === null ? null : Date.parse(expires) }),
          parentId: makerOf(caller),
        });
      });
      return { text, key: showKey(key) };
    }),
    managed(operations.listKeys, ({ caller, query }) =>
      readPage(query, {
        place,
        read: (after, limit) => registry.keyPage({ projectId: caller.projectId, after, limit }),
        show: showKey,
      }),
    ),
    managed(operations.getKey, async ({ caller, params }) =>
      showKey(await registry.key({ projectId: caller.projectId, keyId: params.keyId })),
    ),
  ];
}

function changing({ registry, accounts }: ConsoleParts): ManagedRoute[] {
  /** Replacing, changing or revoking a key requires the rights of that key. */
  async function held(caller: Caller, keyId: string): Promise<KeyRecord> {
    const key = await registry.key({ projectId: caller.projectId, keyId });
    requireAll(caller, key.scopes);
    return key;
  }

  return [
    managed(operations.editKey, async ({ caller, params, body }) => {
      const key = await held(caller, params.keyId);
      if (key.kind === 'public' && (body.scopes ?? []).length > 0) {
        throw parameterInvalid('scopes', 'a public key cannot have scopes');
      }
      requireAll(caller, body.scopes ?? []);
      const by = { makerId: makerOf(caller), editedBy: nameOf(caller) };
      const place = { projectId: caller.projectId, keyId: key.id, ...by };
      return accounts.transaction(async (tx) => {
        const needed = ['keys:write', ...key.scopes, ...(body.scopes ?? [])];
        await holdRights(tx, registry, { caller, needed });
        const inside = registry.inTransaction(tx);
        const { edited, below } = await inside.editKey({ ...place, ...body });
        await limitInvitationsOfKeys(tx, inside, [edited, ...below]);
        return showKey(edited);
      });
    }),
    managed(operations.rotateKey, async ({ caller, params, body }) => {
      const { id: keyId, scopes } = await held(caller, params.keyId);
      const overlapMs = body.overlapSeconds * 1_000;
      const by = { createdBy: nameOf(caller), makerId: makerOf(caller) };
      const rotated = await accounts.transaction(async (tx) => {
        await holdRights(tx, registry, { caller, needed: ['keys:write', ...scopes] });
        const done = await registry.inTransaction(tx).rotateKey({ keyId, overlapMs, ...by });
        await withdrawInvitationsOf(tx, done.ended.map(nameOfKey));
        return done;
      });
      return { text: rotated.text, key: showKey(rotated.key), previous: showKey(rotated.previous) };
    }),
    managed(operations.revokeKey, async ({ caller, params }) => {
      const { id } = await held(caller, params.keyId);
      if (id === caller.principal.keyId) {
        throw systemError('objectNotEditable', { objectNotEditableReason: 'the key of this call' });
      }
      return accounts.transaction(async (tx) => {
        const revocation = { keyId: id, makerId: makerOf(caller) };
        const { key, ended } = await registry.inTransaction(tx).revokeKey(revocation);
        await withdrawInvitationsOf(tx, ended.map(nameOfKey));
        return showKey(key);
      });
    }),
  ];
}

export function showKey(key: KeyRecord) {
  const { parentId: _, ...shown } = key;
  return { ...withTimes(shown), version: keyVersion(key) };
}
