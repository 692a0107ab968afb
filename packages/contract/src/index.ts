export {
  type AddressGiven,
  addressSchema,
  type CodeGiven,
  codeSchema,
  type MailTokenGiven,
  mailTokenSchema,
  type PasswordChange,
  type ProfileChange,
  passwordChangeSchema,
  passwordResetSchema,
  profileChangeSchema,
  type ResetRequest,
  resetRequestSchema,
  type SwitchGiven,
  switchSchema,
} from './account-api.ts';
export { apiKeyPrefix, createApiKeyText, hashApiKey, type KeyKind, parseApiKeyText } from './api-key.ts';
export {
  type ChangeKind,
  compareDeclarations,
  type DeclarationChange,
} from './declaration/compare-declarations.ts';
export {
  type CompiledDeclaration,
  compileDeclaration,
  type DeclarationResult,
  type EventCodec,
  type Explanation,
  readAcceptedDeclaration,
} from './declaration/compile-declaration.ts';
export { type DeclarationFault, escapePointer } from './declaration/declaration-faults.ts';
export { type EventTypeFile, type FileFault, parseEventTypeFile } from './declaration/event-type-file.ts';
export type { EventFault, EventFaultReason } from './declaration/explain-event.ts';
export { declarationLimits } from './declaration/read-declaration.ts';
export { roundedIntegers } from './declaration/rounded-integers.ts';
export type { ObjectShape, Shape } from './declaration/shape.ts';
export { createPattern } from './declaration/shape.ts';
export type { StoredColumn } from './declaration/stored-columns.ts';
export {
  type DeclaredPattern,
  patternFault,
  tooComplex,
  weighPatterns,
} from './declaration/weigh-patterns.ts';
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
export { type ExactJson, malformedJson, parseExactDocument, parseExactJson } from './json/exact-json.ts';
export { writeJson } from './json/write-json.ts';
export { languageTagFormat, readLanguageTag } from './language-tag.ts';
export { limits } from './limits.ts';
export { maskPersonal } from './mask-personal.ts';
export { renderDocumentPage } from './openapi/document-page.ts';
export { createEventDocument } from './openapi/event-document.ts';
export { eventOperations } from './openapi/event-operations.ts';
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
export { createSessionDocument, sessionOperations } from './openapi/session-document.ts';
export {
  isPolicyName,
  type PolicyName,
  policyFault,
  policySchemas,
  type QuotasPolicy,
  quotasPolicySchema,
  type RatesPolicy,
  ratesPolicySchema,
} from './project-policies.ts';
export type { OpenIdConnection } from './providers/open-id-connection.ts';
export {
  type DiscordSettings,
  type ItchIoSettings,
  type ProviderSettings,
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
export { skipSpace, skipValue } from './reader/read-structure.ts';
export { readDateTime, temporalRange } from './reader/temporal.ts';
export {
  type Retention,
  type RetentionPolicy,
  readRetention,
  retentionPolicySchema,
} from './retention-policy.ts';
export { createEventIds, type EventIds, uuidText } from './rows/event-ids.ts';
export {
  appendRow,
  createRowFrame,
  type EventEnvelope,
  eventColumns,
  plainEnvelope,
  type RowFrame,
  type RowSender,
  type RowType,
  stampChunkId,
} from './rows/event-row.ts';
export { maskRows, type RowMask } from './rows/mask-rows.ts';
export { type DecodedRow, readRows, type StoredValue } from './rows/read-rows.ts';
export { RowWriter } from './rows/row-writer.ts';
export {
  type BuiltInRole,
  builtInRoles,
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
  sessionVersions,
} from './session-api.ts';
export {
  type ErrorData,
  parameterInvalid,
  parameterMissing,
  problemBody,
  SystemError,
  systemError,
  systemErrorBody,
} from './system-error.ts';
export { csharpCode } from './type-code/csharp-code.ts';
export { typeName } from './type-code/type-name.ts';
export { type CodedType, typescriptCode } from './type-code/typescript-code.ts';
