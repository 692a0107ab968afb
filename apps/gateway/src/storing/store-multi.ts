import type { FindEventType, FoundType } from '../calls/find-event-type.ts';
import { type InsertCall, senderOf } from '../calls/insert-call.ts';
import type { NamedType } from '../calls/named-types.ts';
import type { StoredPart } from '../calls/stream-answer.ts';
import { admitMulti } from '../reading/admit-multi.ts';
import type { MultiBody } from '../reading/multi-body.ts';
import type { Rejection } from '../rejecting/rejection.ts';
import { keyedByEvents, type RequestKey } from './idempotency.ts';
import type { StoreRows } from './store-rows.ts';

/** Stores the elements that match; with `atomic` all of them or none. Resolves once they are durable. */
export type StoreMulti = (
  call: InsertCall,
  multi: MultiBody,
  how: { readonly atomic: boolean; readonly requestKey: RequestKey },
) => Promise<StoredPart>;

export interface StoreMultiDeps {
  readonly findEventType: FindEventType;
  readonly storeRows: StoreRows;
  readonly storesAddress: 'none' | 'prefix';
}

export function createStoreMulti({ findEventType, storeRows, storesAddress }: StoreMultiDeps): StoreMulti {
  return async (call, multi, { atomic, requestKey }) => {
    const found = await findTypes(findEventType, call, multi.types);
    const sender = senderOf(call, storesAddress);
    let rejected: readonly Rejection[] = [];
    let usesDeprecated = false;
    const { accepted, clamped } = await storeRows(call, multi.body, function* (rows) {
      const admission = yield* admitMulti(rows, multi, { sender, found, atomic });
      ({ rejected, usesDeprecated } = admission);
      return keyedByEvents(admission.accepted, requestKey, multi.body);
    });
    return { accepted, clamped, rejected, usesDeprecated };
  };
}

async function findTypes(
  findEventType: FindEventType,
  { principal }: InsertCall,
  named: readonly NamedType[],
): Promise<ReadonlyMap<NamedType, FoundType>> {
  const looked = named.map(
    async (type) => [type, await findEventType(principal.projectId, type.name, type.version)] as const,
  );
  return new Map(await Promise.all(looked));
}
