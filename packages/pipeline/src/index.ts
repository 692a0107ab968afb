export { type ProjectAccount, readAccounts } from './accounting.ts';
export type { Chunk, IdempotentRun, MalformedJob } from './chunk.ts';
export { type Consumer, type ConsumerOptions, createConsumer } from './consumer.ts';
export { type ErasureRequest, erasureStatement } from './erasure/erasure-request.ts';
export type { ErasureWork, LeasedErasure } from './erasure/erasure-work.ts';
export {
  type CertificateCheck,
  createErasures,
  type Erasure,
  type ErasureState,
  type Erasures,
  type ErasuresOptions,
} from './erasure/erasures.ts';
export { eventKey, requestKey, type SenderScope, senderScope } from './idempotency-key.ts';
export { type InsertPace, paceSeconds } from './insert-pace.ts';
export { type Lane, lanes } from './lane.ts';
export { createLedger, type FragmentPart, type Ledger, type LedgerOptions } from './ledger.ts';
export type { DeadFragment, DeadJob, DeadLetter } from './ledger-dead.ts';
export { LedgerUnavailable } from './ledger-pool.ts';
export type { ProjectTotals } from './ledger-totals.ts';
export type { ProjectUsage } from './ledger-usage.ts';
export type { MaintainOptions } from './maintain-ledger.ts';
export { migrateLedger } from './migrate-ledger.ts';
export { migrateQueue } from './migrate-queue.ts';
export { mostChunksOfParcel, writeChunkPlace } from './parcel.ts';
export { createProducer, type Producer, type ProducerOptions } from './producer.ts';
export type { ErasedFromQuarantine } from './quarantine/account-in-quarantine.ts';
export type { QuarantineCount } from './quarantine/count-quarantined.ts';
export { createFindReplayType, type FindReplayType } from './quarantine/find-replay-type.ts';
export type { QuarantineLimits } from './quarantine/maintain-quarantine.ts';
export type { PurgedFromQuarantine } from './quarantine/purge-quarantined.ts';
export {
  createQuarantine,
  type Quarantine,
  type QuarantineOptions,
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
export {
  createQueueMonitor,
  type PendingEvents,
  type QueueMonitor,
  type QueueMonitorOptions,
} from './queue-monitor.ts';
export type { StoreLevel } from './queue-store.ts';
export { QueueUnavailable } from './queue-unavailable.ts';
export { type RedisFacts, readRedisFacts } from './redis-facts.ts';
export type { SealableChunk } from './seal-arguments.ts';
export type { SealedElsewhere, SealOutcome } from './seal-batch.ts';
export type { DroppedRun, Fragment, FragmentState, SealedBatch, SealedChunk } from './sealed-batch.ts';
