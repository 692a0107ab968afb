export { erasureStatement } from './erasure/erasure-request.ts';
export type { ErasureWork, LeasedErasure, RejectedCounts } from './erasure/erasure-work.ts';
export { createErasures, type Erasure, type Erasures } from './erasure/erasures.ts';
export { createFleet, type Fleet, type PipelineSample } from './fleet/fleet.ts';
export { type InsertRates, rateSeconds } from './fleet/inserts.ts';
export type { DeadFragment, DeadLetter } from './ledger/dead/ledger-dead.ts';
export { createLedger, type FragmentPart, type Ledger } from './ledger/ledger.ts';
export type { Fragment, FragmentState, SealedBatch, SealedChunk } from './ledger/sealing/sealed-batch.ts';
export { migrateLedger } from './ledger/tables/migrate-ledger.ts';
export { createQuarantine, type Quarantine } from './quarantine/quarantine.ts';
export { checkLimits } from './quarantine/reading/check-quarantined.ts';
export { compressRows, countTypes, inflateRows } from './quarantine/reading/dead-rows.ts';
export type { Quarantined, QuarantinedBrief, QuarantineFilter } from './quarantine/reading/quarantined.ts';
export { createFindReplayType } from './quarantine/replays/find-replay-type.ts';
export type {
  RejectedForm,
  RejectedSample,
  RejectionCount,
  RejectionFlush,
} from './quarantine/samples/rejections.ts';
export { type Chunk, chunkBeganMs, type IdempotentRun, type MalformedJob } from './queue/chunks/chunk.ts';
export {
  eventKey,
  readKey,
  requestKey,
  type SenderScope,
  senderScope,
} from './queue/chunks/idempotency-key.ts';
export { mostChunksOfParcel, writeChunkPlace } from './queue/chunks/parcel.ts';
export { createSentPositions, type SentPositions } from './queue/chunks/sent-positions.ts';
export { type Consumer, createConsumer } from './queue/consumer/consumer.ts';
export { createQueueMonitor, type QueueMonitor } from './queue/pending/queue-monitor.ts';
export { createProducer, type Producer } from './queue/producer/producer.ts';
export { type Lane, lanes } from './queue/stores/lane.ts';
export { migrateQueue } from './queue/stores/open-stores.ts';
export type { StoreLevel } from './queue/stores/queue-store.ts';
export { QueueUnavailable } from './queue/stores/queue-unavailable.ts';
export { type RedisFacts, readRedisFacts } from './queue/stores/redis-facts.ts';
export { createEventStatus } from './status/event-status.ts';
export { addEventStatusGauges } from './status/event-status-gauges.ts';
export { type ProjectAccount, readAccounts } from './usage/accounting.ts';
export { createUsage, type ProjectUsage, type Usage } from './usage/usage.ts';
