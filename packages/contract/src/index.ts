export {
  accountErasedSchema,
  accountExportSchema,
  accountSchema,
  addressSchema,
  codeSchema,
  erasureSchema,
  identityListSchema,
  mailedCodeSchema,
  mailTokenSchema,
  passwordChangeSchema,
  passwordResetSchema,
  profileChangeSchema,
  recoveryCodesSchema,
  resetRequestSchema,
  sessionListSchema,
  switchSchema,
  twoFactorSetupSchema,
} from './account-api.ts';
export {
  apiKeyEnding,
  apiKeyPrefix,
  createApiKeyText,
  hashApiKey,
  type KeyKind,
  parseApiKeyText,
} from './api-key.ts';
export {
  type CountsByType,
  type ErasureCertificate,
  type ErasureCounts,
  hashAccount,
  isCertificateIntact,
  sealCertificate,
} from './erasure-certificate.ts';
export { errorCatalogue, type Reason } from './error-catalogue.ts';
export {
  type EventNotice,
  type PartialAnswer,
  partialAnswerSchema,
  rejectionSchema,
  reportedFaultSchema,
  type SystemErrorBody,
} from './event-api.ts';
export { createNamedId, createRecordId, type RandomBytes } from './ids/record-ids.ts';
export { createUuidV7Writer, uuidShape, uuidText } from './ids/uuid-v7.ts';
export { canonicalJson } from './json/canonical-json.ts';
export { exactInteger } from './json/exact-integer.ts';
export {
  type ExactJson,
  malformedJson,
  parseExactDocument,
  parseExactJson,
  writeJson,
} from './json/exact-json.ts';
export { createSchemaCheck, type SchemaReading, schemaRefusal } from './json/schema-check.ts';
export { closedObject, orNull } from './json/schema-shapes.ts';
export { languageTagFormat, readLanguageTag } from './language-tag.ts';
export { limits } from './limits.ts';
export { type Discovery, describeInstallation, discoveryOperation } from './openapi/discovery-operation.ts';
export { renderDocumentPage } from './openapi/document-page.ts';
export { createOpenApiDocument, type JsonObject } from './openapi/openapi-document.ts';
export {
  defineOperation,
  type Operation,
  type OperationAnswer,
  type OperationInput,
  operationsOf,
} from './openapi/operation.ts';
export type {
  CallAnswer,
  CallArguments,
  CallBody,
  CallRow,
  OperationName,
} from './openapi/operation-call.ts';
export {
  isPolicyName,
  type PolicyName,
  policyFault,
  policySchemas,
  type QuotasPolicy,
  type RatesPolicy,
  readErasureMode,
} from './policies/project-policies.ts';
export { readRetention } from './policies/retention-policy.ts';
export { readRoles } from './policies/roles-policy.ts';
export { readSessionsPolicy, type SessionsPolicy } from './policies/sessions-policy.ts';
export {
  printable,
  printableLines,
  reorderingFault,
  shownTextFormat,
  withoutReordering,
} from './printable.ts';
export { type OpenIdConnection, resolveConnection } from './providers/open-id-connection.ts';
export {
  type DiscordSettings,
  type ItchIoSettings,
  type ProviderSettings,
  providerAddresses,
  readProviderSettings,
  type SteamSettings,
} from './providers/provider-settings.ts';
export {
  hideProviderSecrets,
  keepProviderSecrets,
  openProviderSecrets,
  sealedProviderSecrets,
  sealProviderSecrets,
} from './providers/providers-policy.ts';
export {
  type BuiltInRole,
  builtInRoles,
  commonScopes,
  grantableScopes,
  isPermitted,
  personalScope,
  type Resource,
  roleIn,
  scopeOfRole,
  scopesOfRole,
} from './scopes.ts';
export {
  type AuthenticationRequest,
  type AuthenticationResponse,
  authenticationRequestSchema,
  authenticationResponseSchema,
  type Notice,
  type PromptFlag,
  promptFlags,
  type SessionRecord,
  sessionRecordSchema,
  sessionVersions,
  studioProviderSchema,
  studioReturnSchema,
  studioVisitSchema,
} from './session-api.ts';
export {
  objectNotFound,
  parameterInvalid,
  parameterMissing,
  problemBody,
  requireOrigin,
  SystemError,
  systemError,
  systemErrorBody,
} from './system-error.ts';
export { readDate, readDateTime, temporalRange } from './temporal.ts';
