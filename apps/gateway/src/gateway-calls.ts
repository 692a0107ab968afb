import { randomFillSync } from 'node:crypto';
import { createAuthenticate } from './calls/authenticate.ts';
import { createFindEventType } from './calls/find-event-type.ts';
import { createBeginCall, createFrames, createMayGoOn } from './calls/insert-call.ts';
import { createInsertCalls, type InsertCalls } from './calls/insert-calls.ts';
import { createInsertLines } from './calls/insert-lines.ts';
import type { GatewayConfig } from './config.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { createCheckQuota } from './limits/check-quota.ts';
import { createOverloadCheck } from './limits/overload-check.ts';
import { createStreamBudget } from './limits/stream-budget.ts';
import { createUnavailable } from './limits/unavailable.ts';
import { createReceiveBody } from './reading/receive-body.ts';
import { createRowBuffers } from './reading/row-buffers.ts';
import { createRejectUnfound } from './rejecting/reject-unfound.ts';
import { createKeyCheck } from './storing/key-check.ts';
import { createStoreMulti } from './storing/store-multi.ts';
import { createStoreRows } from './storing/store-rows.ts';

/** The calls that accept events, over the parts of the gateway. */
export function createGatewayCalls(config: GatewayConfig, parts: GatewayParts): InsertCalls {
  const { events, registry, producer, counts, quotaBook, coalescer, inFlight, laneChooser } = parts;
  const unavailable = createUnavailable(Math.random);
  const now = () => performance.now();
  const begin = {
    overload: createOverloadCheck({ now, afterRound: (call) => void setImmediate(call) }),
    unavailable,
    authenticate: createAuthenticate(registry, unavailable),
    policies: registry.policies,
    checkRates: parts.rates.check,
    checkQuota: createCheckQuota(quotaBook),
  };
  const findEventType = createFindEventType(registry, unavailable);
  const accepting = (projectId: string) =>
    parts.diskSpace.hasSpace() && producer.accepting(laneChooser.of(projectId));
  const receiveBody = createReceiveBody({ inFlight, accepting, unavailable });
  const recordRejected = parts.rejections.record;
  const openRows = createRowBuffers(randomFillSync);
  const onFault = (error: unknown) => events.dependencyFault('ledger', error);
  const storeRows = createStoreRows({
    coalescer,
    keyCheck: createKeyCheck({ ledger: parts.ledger, onFault, now }),
    onAccepted: counts.add,
    unavailable,
  });
  const { storeClientAddress: storesAddress } = config;
  const storeMulti = createStoreMulti({ findEventType, openRows, recordRejected, storeRows, storesAddress });
  const streams = createStreamBudget({ inFlight, accepting, unavailable, mostStreams: config.streams, now });
  return createInsertCalls({
    beginCall: createBeginCall(begin),
    findEventType,
    receiveBody,
    frameOf: createFrames(storesAddress),
    rejectUnfound: createRejectUnfound({ receiveBody, recordRejected }),
    recordRejected,
    openRows,
    storeRows,
    storeMulti,
    insertLines: createInsertLines({
      streams,
      storeMulti,
      mayGoOn: createMayGoOn(begin),
      now: Date.now,
      limitBytes: config.streamBytes,
      idleMs: config.streamIdleMs,
    }),
    events,
  });
}
