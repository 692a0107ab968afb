export { type ErasureRequest, type ErasureState, erasureStatement } from './erasure/erasure-request.ts';
export type { ErasureWork, LeasedErasure } from './erasure/erasure-work.ts';
export {
  type CertificateCheck,
  createErasures,
  type Erasure,
  type Erasures,
  type ErasuresOptions,
} from './erasure/erasures.ts';
export { type ProjectAccount, readAccounts } from './ledger/accounting.ts';
export { type InsertRates, rateSeconds } from './ledger/insert-rates.ts';
export { createLedger, type FragmentPart, type Ledger, type LedgerOptions } from './ledger/ledger.ts';
export type { DeadFragment, DeadJob, DeadLetter } from './ledger/ledger-dead.ts';
export type { ProjectLosses } from './ledger/ledger-losses.ts';
export type { ProjectTotals } from './ledger/ledger-totals.ts';
export type { ProjectUsage } from './ledger/ledger-usage.ts';
export type { MaintainOptions } from './ledger/maintain-ledger.ts';
export { migrateLedger } from './ledger/migrate-ledger.ts';
export type { PipelineSample } from './ledger/pipeline-history.ts';
export type { SealableChunk } from './ledger/seal-arguments.ts';
export type { SealedElsewhere, SealOutcome } from './ledger/seal-batch.ts';
export type { DroppedRun, Fragment, FragmentState, SealedBatch, SealedChunk } from './ledger/sealed-batch.ts';
export type { ErasedFromQuarantine } from './quarantine/account-in-quarantine.ts';
export { checkLimits } from './quarantine/check-quarantined.ts';
export type { QuarantineCount } from './quarantine/count-quarantined.ts';
export { createFindReplayType, type FindReplayType } from './quarantine/find-replay-type.ts';
export type { QuarantineLimits } from './quarantine/maintain-quarantine.ts';
export type { PurgedFromQuarantine } from './quarantine/purge-quarantined.ts';
export {
  createQuarantine,
  type Quarantine,
  type ReplayRequest,
} from './quarantine/quarantine.ts';
export type {
  DeadEvent,
  DeadLetterRows,
  Quarantined,
  QuarantinedBrief,
  QuarantineFilter,
  QuarantineKind,
  RejectedEvent,
} from './quarantine/quarantined.ts';
export type {
  RejectedForm,
  RejectedSample,
  RejectionCount,
  RejectionFlush,
} from './quarantine/rejections.ts';
export type { ReplayReport, ReplayTools } from './quarantine/replay-quarantined.ts';
export type { Chunk, IdempotentRun, MalformedJob } from './queue/chunks/chunk.ts';
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
export { migrateQueue } from './queue/stores/migrate-queue.ts';
export type { StoreLevel } from './queue/stores/queue-store.ts';
export { QueueUnavailable } from './queue/stores/queue-unavailable.ts';
export { type RedisFacts, readRedisFacts } from './queue/stores/redis-facts.ts';
