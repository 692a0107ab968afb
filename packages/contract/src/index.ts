export {
  accountErasedSchema,
  accountExportSchema,
  accountSchema,
  erasureSchema,
  identityListSchema,
  recoveryCodesSchema,
  sessionListSchema,
  twoFactorSetupSchema,
} from './account-answers.ts';
export {
  addressSchema,
  codeSchema,
  type MailTokenGiven,
  mailedCodeSchema,
  mailTokenSchema,
  type PasswordChange,
  passwordChangeSchema,
  passwordResetSchema,
  profileChangeSchema,
  resetRequestSchema,
  switchSchema,
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
export { type CatalogueEntry, errorCatalogue, type Reason } from './error-catalogue.ts';
export {
  type EventNotice,
  type PartialAnswer,
  type ProblemBody,
  partialAnswerSchema,
  type Rejection,
  type ReportedFault,
  rejectionSchema,
  reportedFaultSchema,
  type SystemErrorBody,
  systemErrorSchema,
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
export {
  createSchemaCheck,
  type SchemaCheck,
  type SchemaFault,
  type SchemaReading,
  schemaRefusal,
} from './json/schema-check.ts';
export { closedObject, orNull } from './json/schema-shapes.ts';
export { languageTagFormat, readLanguageTag } from './language-tag.ts';
export { limits } from './limits.ts';
export { type Discovery, describeInstallation, discoveryOperation } from './openapi/discovery-operation.ts';
export { renderDocumentPage } from './openapi/document-page.ts';
export {
  type ApiDescription,
  createOpenApiDocument,
  type Json,
  type JsonObject,
} from './openapi/openapi-document.ts';
export {
  defineOperation,
  type Operation,
  type OperationAnswer,
  type OperationExample,
  type OperationInput,
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
  quotasPolicySchema,
  type RatesPolicy,
  ratesPolicySchema,
  readErasureMode,
} from './policies/project-policies.ts';
export {
  type Retention,
  type RetentionPolicy,
  readRetention,
  retentionPolicySchema,
} from './policies/retention-policy.ts';
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
  providersPolicySchema,
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
  resources,
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
  type ErrorData,
  parameterInvalid,
  parameterMissing,
  problemBody,
  requireOrigin,
  SystemError,
  systemError,
  systemErrorBody,
} from './system-error.ts';
export { readDate, readDateTime, temporalRange } from './temporal.ts';
