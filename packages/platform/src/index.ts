export { type Backoff, createBackoff } from './concurrency/backoff.ts';
export { createKeyedLock, createLock, type KeyedLock, type Lock } from './concurrency/lock.ts';
export { noteWrite } from './concurrency/noted-writes.ts';
export { createSemaphore } from './concurrency/semaphore.ts';
export { settleWithin } from './concurrency/settle-within.ts';
export { sleep } from './concurrency/sleep.ts';
export {
  type Config,
  ConfigFault,
  defineConfig,
  type Environment,
  misspelledSettings,
} from './config/config.ts';
export type { Declaration, Values } from './config/config-variable.ts';
export { nearestName } from './config/nearest-name.ts';
export { sharedVariables } from './config/shared-variables.ts';
export { answerJson, answerText } from './http/answers/answer.ts';
export { checkWebOrigin } from './http/answers/cors.ts';
export { apiKeyOf } from './http/api-key-source.ts';
export { streamBody } from './http/body/body-stream.ts';
export { negotiateCoding } from './http/body/encoding.ts';
export { readBody } from './http/body/read-body.ts';
export { addressBucket, addressPrefix, createRangeCheck } from './http/client-address.ts';
export { contextOf, type RequestContext } from './http/context.ts';
export { addHealthRoutes, addOperatorRoutes } from './http/health.ts';
export type { HotRoute } from './http/hot-routes.ts';
export { connectionLimits, connectionVariables } from './http/limits.ts';
export { addDiscoveryRoute, addDocumentRoutes, discoveryPaths } from './http/operations/document.ts';
export {
  addOperations,
  answered,
  type OperationCall,
  type OperationRoute,
  type OperationsOptions,
  operationRoute,
} from './http/operations/operations.ts';
export { createOperatorServer, operatorVariables } from './http/operator-server.ts';
export { createIsPublicAddress, type OutboundRules, outboundRefusal } from './http/public-address.ts';
export { createHttpServer, type HttpServer } from './http/server.ts';
export { type AddressVoucher, createAddressVoucher, vouchedAddressHeader } from './http/vouched-address.ts';
export {
  dataOption,
  defaultBasePort,
  type FirstProject,
  type InstallationFile,
  installationFilePath,
  portPlan,
  readInstallationFile,
  type ServiceName,
  writeInstallationFile,
} from './installation/installation-file.ts';
export { readFileIfAny, UnreadableFile, writePrivateFile } from './installation/private-file.ts';
export {
  type Counted,
  createRateLimiter,
  type PolicySpending,
  type RateLimiter,
  type RateStatus,
  setRateHeaders,
} from './limits/rate-limiter.ts';
export { RecentMap } from './limits/recent-map.ts';
export { type Rate, TokenBuckets } from './limits/token-buckets.ts';
export { type Component, Lifecycle } from './process/lifecycle.ts';
export { createRepeatedTask, type RepeatedTask } from './process/repeated-task.ts';
export { type App, runProcess } from './process/run-process.ts';
export { createSecretBox, createSecretBoxOf, type SecretBox } from './process/secret-box.ts';
export { createHealth } from './telemetry/health.ts';
export { createLogger, type DestinationStream, type Logger } from './telemetry/logger.ts';
export { createMetrics, type Metrics } from './telemetry/metrics.ts';
export { createProcessEvents } from './telemetry/process-events.ts';
export { redactText } from './telemetry/redact.ts';
export type { Telemetry } from './telemetry/telemetry.ts';
export {
  activeTraceparent,
  inBatchSpan,
  inSpan,
  inStatementSpan,
  type PartSpan,
  readTraceparent,
  traceparentOf,
} from './telemetry/traces.ts';
export { createTracing, tracingVariables } from './telemetry/tracing.ts';
