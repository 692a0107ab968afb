export { type ErasureRequest, type ErasureState, erasureStatement } from './erasure/erasure-request.ts';
export type { ErasureWork, LeasedErasure, RejectedCounts } from './erasure/erasure-work.ts';
export {
  type CertificateCheck,
  createErasures,
  type Erasure,
  type Erasures,
  type ErasuresOptions,
} from './erasure/erasures.ts';
export { createFleet, type Fleet, type PipelineSample } from './fleet/fleet.ts';
export { type InsertRates, rateSeconds } from './fleet/inserts.ts';
export type { DeadFragment, DeadJob, DeadLetter } from './ledger/dead/ledger-dead.ts';
export { createLedger, type FragmentPart, type Ledger, type LedgerOptions } from './ledger/ledger.ts';
export type { SealableChunk } from './ledger/sealing/seal-arguments.ts';
export type { SealedElsewhere, SealOutcome } from './ledger/sealing/seal-batch.ts';
export type {
  DroppedRun,
  Fragment,
  FragmentState,
  SealedBatch,
  SealedChunk,
} from './ledger/sealing/sealed-batch.ts';
export type { MaintainOptions } from './ledger/tables/maintain-ledger.ts';
export { migrateLedger } from './ledger/tables/migrate-ledger.ts';
export {
  createQuarantine,
  type Quarantine,
  type ReplayRequest,
} from './quarantine/quarantine.ts';
export { checkLimits } from './quarantine/reading/check-quarantined.ts';
export type { QuarantineCount } from './quarantine/reading/count-quarantined.ts';
export { compressRows } from './quarantine/reading/dead-rows.ts';
export type {
  DeadEvent,
  DeadLetterRows,
  Quarantined,
  QuarantinedBrief,
  QuarantineFilter,
  QuarantineKind,
  RejectedEvent,
} from './quarantine/reading/quarantined.ts';
export { createFindReplayType, type FindReplayType } from './quarantine/replays/find-replay-type.ts';
export type { ReplayReport, ReplayTools } from './quarantine/replays/replay-quarantined.ts';
export type { ErasedFromQuarantine } from './quarantine/samples/account-in-quarantine.ts';
export type { QuarantineLimits } from './quarantine/samples/maintain-quarantine.ts';
export type { PurgedFromQuarantine } from './quarantine/samples/purge-quarantined.ts';
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
export {
  type ChunkPosition,
  createSentPositions,
  type SentPositions,
  type Settled,
} from './queue/chunks/sent-positions.ts';
export { type Consumer, type ConsumerOptions, createConsumer } from './queue/consumer/consumer.ts';
export type { PendingEvents } from './queue/pending/group-pending.ts';
export {
  createQueueMonitor,
  type QueueMonitor,
  type QueueMonitorOptions,
} from './queue/pending/queue-monitor.ts';
export { createProducer, type Producer, type ProducerOptions } from './queue/producer/producer.ts';
export { type Lane, lanes } from './queue/stores/lane.ts';
export { migrateQueue } from './queue/stores/open-stores.ts';
export type { StoreLevel } from './queue/stores/queue-store.ts';
export { QueueUnavailable } from './queue/stores/queue-unavailable.ts';
export { type RedisFacts, readRedisFacts } from './queue/stores/redis-facts.ts';
export { createEventStatus } from './status/event-status.ts';
export { addEventStatusGauges } from './status/event-status-gauges.ts';
export { type ProjectAccount, readAccounts } from './usage/accounting.ts';
export {
  createUsage,
  type ProjectTotals,
  type ProjectUsage,
  type Usage,
} from './usage/usage.ts';
