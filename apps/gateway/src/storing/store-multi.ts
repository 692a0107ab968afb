import type { FoundType } from '../calls/event-types.ts';
import { type InsertCall, senderOf } from '../calls/insert-call.ts';
import type { NamedType } from '../calls/named-types.ts';
import type { StoredPart } from '../calls/stream-answer.ts';
import type { GatewayParts } from '../parts.ts';
import { admitMulti } from '../reading/admit-multi.ts';
import type { MultiBody } from '../reading/multi-body.ts';
import { finish, finishInSlices, isOneSlice } from '../reading/sliced.ts';
import { keyedByEvents, type RequestKey } from './idempotency.ts';
import { storeRows } from './store-rows.ts';

/** The elements of a multiInsert, the key of its request, and whether all of them match or none is stored. */
export interface MultiRequest {
  readonly multi: MultiBody;
  readonly atomic: boolean;
  readonly requestKey: RequestKey;
}

/** Stores the elements that match. Resolves once they are durable. */
export async function storeMulti(
  parts: GatewayParts,
  call: InsertCall,
  { multi, atomic, requestKey }: MultiRequest,
): Promise<StoredPart> {
  const { body } = multi;
  const found = await findTypes(parts, call, multi.types);
  const rows = parts.rowBuffers.open(body);
  const sender = senderOf(call, parts.config.storeClientAddress);
  const work = admitMulti(rows, multi, { sender, found, atomic });
  const admission = isOneSlice(body) ? finish(work) : await finishInSlices(work);
  parts.rejections.record(call, body, admission.rejected);
  if (admission.error !== null) throw admission.error;
  const keyed = keyedByEvents(admission.accepted, requestKey, body);
  const stored = await storeRows(parts, call, { rows, keyed });
  return { ...stored, rejected: admission.rejections, usesDeprecated: admission.usesDeprecated };
}

async function findTypes(
  { eventTypes, explainUndeclared }: GatewayParts,
  { principal: { projectId } }: InsertCall,
  named: readonly NamedType[],
): Promise<ReadonlyMap<NamedType, FoundType>> {
  const found = named.map(async (type): Promise<[NamedType, FoundType]> => {
    const answer = await eventTypes.find(projectId, type.name, type.version);
    return [
      type,
      answer.ok ? answer : { ok: false, error: await explainUndeclared(projectId, answer.error) },
    ];
  });
  return new Map(await Promise.all(found));
}
