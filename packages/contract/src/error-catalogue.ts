/**
 * Every error that a client can receive: its stable reason, code, HTTP status and message, and the members of `data`
 * besides `requestId` and `reason`. A test compares docs/errors.md with this table.
 */
export interface CatalogueEntry {
  readonly code: number;
  readonly status: number;
  readonly message: string;
  readonly data: readonly string[];
}

export const errorCatalogue = {
  malformedJson: { code: 1001, status: 400, message: 'The body is not valid JSON', data: ['offset'] },
  bodyTypeInvalid: {
    code: 1002,
    status: 400,
    message: 'The body has the wrong JSON type',
    data: [],
  },
  parameterInvalid: {
    code: 1003,
    status: 400,
    message: 'A parameter is missing or invalid',
    data: ['parameterName', 'parameterIsMissing', 'parameterInvalidReason', 'queryFailureErrors'],
  },
  bodyTooLarge: {
    code: 1004,
    status: 413,
    message: 'The body is too large',
    data: ['amount'],
  },
  contentTypeInvalid: {
    code: 1005,
    status: 415,
    message: 'The Content-Type or Content-Encoding is not supported',
    data: [],
  },
  routeNotFound: {
    code: 1006,
    status: 404,
    message: 'No API call exists at this address',
    data: ['knownVersions'],
  },
  methodNotAllowed: {
    code: 1007,
    status: 405,
    message: 'This address does not support this method',
    data: [],
  },
  requestTimeout: { code: 1008, status: 408, message: 'The request did not arrive in time', data: [] },
  bodyNotDecodable: {
    code: 1009,
    status: 400,
    message: 'The body cannot be decompressed as its Content-Encoding says',
    data: [],
  },
  apiKeyMissing: {
    code: 2001,
    status: 401,
    message: 'The request has no API key: send it in the header X-API-Key',
    data: [],
  },
  apiKeyInvalid: {
    code: 2002,
    status: 401,
    message: 'The API key is not valid: it is misspelt, was revoked, or has ended',
    data: [],
  },
  apiKeyKindNotPermitted: {
    code: 2003,
    status: 403,
    message: 'This kind of API key is not allowed to make this call',
    data: ['expectedSessionType'],
  },
  sessionExpired: { code: 2004, status: 401, message: 'The session has ended', data: ['invalidSessionId'] },
  notPermitted: { code: 2005, status: 403, message: 'The caller is not permitted to do this', data: [] },
  apiKeyScopeMissing: {
    code: 2006,
    status: 403,
    message: 'The API key lacks the scope for this call',
    data: ['parameterName'],
  },
  originNotAllowed: {
    code: 2007,
    status: 403,
    message: 'The API key is not allowed from this web origin',
    data: [],
  },
  sessionInOtherProject: {
    code: 2008,
    status: 409,
    message: 'The session is in another project now',
    data: ['projectId'],
  },
  objectNotFound: {
    code: 3001,
    status: 404,
    message: 'The object does not exist',
    data: ['objectType', 'invalidIdentifier'],
  },
  objectNotEditable: {
    code: 3002,
    status: 409,
    message: 'The object cannot be changed',
    data: ['objectNotEditableReason', 'queryFailureErrors'],
  },
  objectAlreadyExists: {
    code: 3003,
    status: 409,
    message: 'The object already exists',
    data: ['objectType', 'invalidIdentifier'],
  },
  objectChanged: {
    code: 3004,
    status: 412,
    message: 'The object has changed since it was read',
    data: [],
  },
  tokenOnOtherAccount: {
    code: 3010,
    status: 409,
    message: 'The token is linked to another account',
    data: [],
  },
  emailInUse: { code: 3011, status: 409, message: 'The e-mail address is in use', data: [] },
  lastCredential: {
    code: 3012,
    status: 409,
    message: 'This is the only remaining way to sign in to the account',
    data: [],
  },
  credentialsInvalid: {
    code: 4001,
    status: 401,
    message: 'The e-mail address or the password is wrong',
    data: [],
  },
  tokenInvalid: { code: 4002, status: 401, message: 'No token was accepted', data: ['objectContext'] },
  tokenExpired: { code: 4003, status: 401, message: 'The token has expired', data: ['objectContext'] },
  twoFactorCodeInvalid: {
    code: 4004,
    status: 401,
    message: 'The two-factor code is wrong',
    data: ['amount'],
  },
  twoFactorCodeUsed: {
    code: 4005,
    status: 401,
    message: 'The two-factor code was already used',
    data: [],
  },
  accountBanned: {
    code: 4006,
    status: 403,
    message: 'The account is banned',
    data: ['banReason', 'banExpires'],
  },
  registrationClosed: { code: 4007, status: 403, message: 'Registration is closed', data: [] },
  tooManyAttempts: { code: 4008, status: 429, message: 'Too many attempts', data: ['retryAfterSeconds'] },
  tooManyTwoFactorAttempts: {
    code: 4009,
    status: 429,
    message: 'Too many two-factor attempts',
    data: ['retryAfterSeconds'],
  },
  passwordTooWeak: {
    code: 4010,
    status: 400,
    message: 'The password is too weak',
    data: ['parameterInvalidReason'],
  },
  platformBanned: { code: 4011, status: 403, message: 'The platform refuses this user', data: [] },
  exchangeConflict: {
    code: 4012,
    status: 409,
    message: 'The exchange belongs to another key or project',
    data: [],
  },
  roleNotAvailable: {
    code: 4014,
    status: 403,
    message: 'The requested role is not available',
    data: ['requestedRole'],
  },
  providerMisconfigured: {
    code: 5001,
    status: 500,
    message: 'An identity provider rejected the credentials of this project',
    data: ['invalidConfigurationReason'],
  },
  temporarilyUnavailable: {
    code: 6001,
    status: 503,
    message: 'The service is temporarily unavailable; try again later',
    data: ['retryAfterSeconds', 'outcomeUnknown'],
  },
  rateLimited: { code: 6002, status: 429, message: 'Too many requests', data: ['retryAfterSeconds'] },
  identityProviderUnavailable: {
    code: 6003,
    status: 503,
    message: 'The identity provider does not answer',
    data: ['retryAfterSeconds', 'objectContext'],
  },
  internalException: {
    code: 7001,
    status: 500,
    message: 'An internal error occurred; it was logged with the request id',
    data: ['internalExceptionMessage'],
  },
  eventTypeNotFound: {
    code: 8001,
    status: 404,
    message: 'The event type is not declared',
    data: ['invalidIdentifier'],
  },
  eventTypeVersionNotFound: {
    code: 8002,
    status: 404,
    message: 'The event type has no such version',
    data: ['invalidIdentifier', 'availableVersions'],
  },
  eventTypeVersionRetired: {
    code: 8004,
    status: 410,
    message: 'This version of the event type is retired',
    data: ['availableVersions'],
  },
  eventDoesNotMatchType: {
    code: 8005,
    status: 422,
    message: 'The event does not match its declared type',
    data: ['parameterName', 'queryFailureErrors'],
  },
  batchTooLarge: { code: 8006, status: 413, message: 'The batch has too many events', data: ['amount'] },
  eventTooLarge: {
    code: 8007,
    status: 413,
    message: 'The event is too large',
    data: ['amount', 'parameterName'],
  },
  eventQuotaExceeded: {
    code: 8009,
    status: 429,
    message: 'The event quota of this project is used up',
    data: ['retryAfterSeconds'],
  },
  idempotencyKeyReused: {
    code: 8010,
    status: 409,
    message: 'The Idempotency-Key was used with another body',
    data: [],
  },
  streamPartlyAccepted: {
    code: 8011,
    status: 422,
    message: 'The stream cannot be read to its end, and events before that were accepted',
    data: ['accepted', 'settledLines', 'rejected', 'interruptedBy'],
  },
} as const satisfies Record<string, CatalogueEntry>;

export type Reason = keyof typeof errorCatalogue;
