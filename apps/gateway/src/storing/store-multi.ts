import type { FindEventType, FoundType } from '../calls/find-event-type.ts';
import { type InsertCall, senderOf } from '../calls/insert-call.ts';
import type { NamedType } from '../calls/named-types.ts';
import type { StoredPart } from '../calls/stream-answer.ts';
import { admitMulti } from '../reading/admit-multi.ts';
import type { MultiBody } from '../reading/multi-body.ts';
import { isOneSlice, type OpenRows } from '../reading/row-buffers.ts';
import { finish, finishInSlices } from '../reading/sliced.ts';
import type { RecordRejected } from '../rejecting/rejection-log.ts';
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
  readonly openRows: OpenRows;
  readonly recordRejected: RecordRejected;
  readonly storeRows: StoreRows;
  readonly storesAddress: 'none' | 'prefix';
}

export function createStoreMulti(deps: StoreMultiDeps): StoreMulti {
  const { findEventType, openRows, recordRejected, storeRows, storesAddress } = deps;
  return async (call, multi, { atomic, requestKey }) => {
    const { body } = multi;
    const found = await findTypes(findEventType, call, multi.types);
    const rows = openRows(body);
    const work = admitMulti(rows, multi, { sender: senderOf(call, storesAddress), found, atomic });
    const admission = isOneSlice(body) ? finish(work) : await finishInSlices(work);
    recordRejected(call, body, admission.rejected);
    if (admission.error !== null) throw admission.error;
    const stored = await storeRows(call, rows, keyedByEvents(admission.accepted, requestKey, body));
    return { ...stored, rejected: admission.rejections, usesDeprecated: admission.usesDeprecated };
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
