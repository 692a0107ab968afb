export { apiKeyPrefix, createApiKeyText, hashApiKey, type KeyKind, parseApiKeyText } from './api-key.ts';
export { type CatalogueEntry, errorCatalogue, type Reason } from './error-catalogue.ts';
export { limits } from './limits.ts';
export {
  type ErrorData,
  type ProblemBody,
  parameterInvalid,
  parameterMissing,
  problemBody,
  SystemError,
  type SystemErrorBody,
  systemError,
  systemErrorBody,
} from './system-error.ts';
