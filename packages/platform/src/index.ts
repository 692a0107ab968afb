export { apiKeyOf, type KeyBearer } from './api-key-source.ts';
export { addressBucket, checkAddressRange, createClientAddress } from './client-address.ts';
export type { Component } from './component.ts';
export { type Config, ConfigFault, defineConfig, type Environment, type VariableFault } from './config.ts';
export type { Declaration, Values, Variable } from './config-variable.ts';
export { exitCodes } from './exit-codes.ts';
export {
  createHealth,
  type Health,
  type HealthCheck,
  type HealthOptions,
  type HealthReport,
} from './health.ts';
export { type AnswerOptions, answerJson, answerText } from './http-answer.ts';
export { type BodyLimits, readBody } from './http-body.ts';
export { type BodyStreamLimits, streamBody } from './http-body-stream.ts';
export { contextOf, type RequestContext } from './http-context.ts';
export { checkWebOrigin } from './http-cors.ts';
export { addDocumentRoutes } from './http-document.ts';
export { addHealthRoutes, addOperatorRoutes } from './http-health.ts';
export { type HttpLimits, httpLimits } from './http-limits.ts';
export {
  addOperations,
  answered,
  type OperationCall,
  type OperationRoute,
  type OperationsOptions,
  operationRoute,
} from './http-operations.ts';
export { createHttpServer, type HttpServer, type HttpServerOptions } from './http-server.ts';
export { connectionLimits, connectionVariables } from './http-variables.ts';
export { dataOption } from './installation/data-option.ts';
export {
  type FirstProject,
  type InstallationFile,
  installationFilePath,
  readInstallationFile,
  writeInstallationFile,
} from './installation/installation-file.ts';
export { defaultBasePort, portPlan, type ServiceName } from './installation/port-plan.ts';
export { readFileIfAny, UnreadableFile, writePrivateFile } from './installation/private-file.ts';
export { Lifecycle, type LifecycleOptions, type StartOutcome, type StopOutcome } from './lifecycle.ts';
export {
  createLogger,
  type DestinationStream,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  logLevels,
} from './logger.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { createOperatorServer, operatorVariables } from './operator-server.ts';
export { createProcessEvents, type ProcessEvents } from './process-events.ts';
export {
  type Counted,
  createRateLimiter,
  type PolicySpending,
  type RateLimiter,
  type RateLimiterOptions,
  type RateStanding,
  setRateHeaders,
  type TakeOptions,
} from './rate-limiter.ts';
export { redactText } from './redact.ts';
export { type App, type ProcessOptions, runProcess } from './run-process.ts';
export { createSecretBox, createSecretBoxOf, type SecretBox } from './secret-box.ts';
export type { Telemetry } from './telemetry.ts';
export type { Rate } from './token-buckets.ts';
