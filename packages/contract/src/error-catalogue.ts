/**
 * Every failure that a client can see: the stable reason, its code, its HTTP status, a sentence for people,
 * and the members of `data` beside `requestId` and `reason`. docs/errors.md is checked against this table.
 */
export interface CatalogueEntry {
  readonly code: number;
  readonly status: number;
  readonly message: string;
  readonly data: readonly string[];
}

function entry(code: number, status: number, message: string, ...data: string[]): CatalogueEntry {
  return { code, status, message, data };
}

export const errorCatalogue = {
  malformedJson: entry(1001, 400, 'The body is not well-formed JSON', 'offset'),
  bodyTypeInvalid: entry(1002, 400, 'The body is not of the expected JSON type'),
  parameterInvalid: entry(
    1003,
    400,
    'A parameter is missing or invalid',
    'parameterName',
    'parameterIsMissing',
    'parameterInvalidReason',
  ),
  bodyTooLarge: entry(1004, 413, 'The body is larger than this call accepts', 'amount'),
  contentTypeInvalid: entry(1005, 415, 'The body is of a type or encoding that is not read here'),
  routeNotFound: entry(1006, 404, 'There is nothing at this address', 'knownVersions'),
  methodNotAllowed: entry(1007, 405, 'This address does not take this method'),
  requestTimeout: entry(1008, 408, 'The request was not received in time'),
  apiKeyMissing: entry(2001, 401, 'The request carries no API key'),
  apiKeyInvalid: entry(2002, 401, 'The API key is not valid'),
  apiKeyKindNotPermitted: entry(
    2003,
    403,
    'This kind of API key may not make this call',
    'expectedSessionType',
  ),
  sessionExpired: entry(2004, 401, 'The session has ended', 'invalidSessionId'),
  notPermitted: entry(2005, 403, 'This is not permitted'),
  apiKeyScopeMissing: entry(2006, 403, 'The API key lacks the scope for this call', 'parameterName'),
  originNotAllowed: entry(2007, 403, 'The API key may not be used from this web origin'),
  objectNotFound: entry(3001, 404, 'The object does not exist', 'objectType', 'invalidIdentifier'),
  objectNotEditable: entry(3002, 409, 'The object cannot be changed', 'objectNotEditableReason'),
  objectAlreadyExists: entry(3003, 409, 'The object exists already', 'objectType', 'invalidIdentifier'),
  objectChanged: entry(3004, 412, 'The object has changed since the version that was sent with the edit'),
  tokenOnOtherAccount: entry(3010, 409, 'The token belongs to another account'),
  emailInUse: entry(3011, 409, 'The e-mail address is in use'),
  lastCredential: entry(3012, 409, 'This is the last way into the account'),
  credentialsInvalid: entry(4001, 401, 'The e-mail address or the password is wrong'),
  tokenInvalid: entry(4002, 401, 'No token was accepted', 'objectContext'),
  tokenExpired: entry(4003, 401, 'The token has expired', 'objectContext'),
  twoFactorCodeInvalid: entry(4004, 401, 'The two-factor code is wrong', 'amount'),
  twoFactorCodeUsed: entry(4005, 401, 'The two-factor code has been used already'),
  accountBanned: entry(4006, 403, 'The account is banned', 'banReason', 'banExpires'),
  registrationClosed: entry(4007, 403, 'No new accounts are made here'),
  tooManyAttempts: entry(4008, 429, 'Too many attempts', 'retryAfterSeconds'),
  tooManyTwoFactorAttempts: entry(4009, 429, 'Too many two-factor attempts', 'retryAfterSeconds'),
  passwordTooWeak: entry(4010, 400, 'The password is too weak', 'parameterInvalidReason'),
  platformBanned: entry(4011, 403, 'The platform refuses this user'),
  exchangeConflict: entry(4012, 409, 'The exchange belongs to another key or project'),
  roleNotAvailable: entry(4014, 403, 'The requested role is not available', 'requestedRole'),
  providerMisconfigured: entry(
    5001,
    500,
    'An identity provider refused the credentials of this service',
    'invalidConfigurationReason',
  ),
  temporarilyUnavailable: entry(
    6001,
    503,
    'The service cannot take this request now; send it again',
    'retryAfterSeconds',
  ),
  rateLimited: entry(6002, 429, 'Too many requests', 'retryAfterSeconds'),
  identityProviderUnavailable: entry(
    6003,
    503,
    'The identity provider does not answer',
    'retryAfterSeconds',
    'objectContext',
  ),
  internalException: entry(
    7001,
    500,
    'An internal fault; it has been logged with the request id',
    'internalExceptionMessage',
  ),
  eventTypeNotFound: entry(8001, 404, 'The event type is not declared', 'invalidIdentifier'),
  eventTypeVersionNotFound: entry(
    8002,
    404,
    'The event type has no such version',
    'invalidIdentifier',
    'availableVersions',
  ),
  eventTypeVersionRetired: entry(8004, 410, 'This version of the event type is retired', 'availableVersions'),
  eventDoesNotMatchType: entry(
    8005,
    422,
    'The event does not match its declared type',
    'parameterName',
    'queryFailureErrors',
  ),
  batchTooLarge: entry(8006, 413, 'The batch holds too many events', 'amount'),
  eventTooLarge: entry(8007, 413, 'The event is too large', 'amount', 'parameterName'),
  eventQuotaExceeded: entry(8009, 429, 'The quota of events of this project is used up', 'retryAfterSeconds'),
} as const satisfies Record<string, CatalogueEntry>;

export type Reason = keyof typeof errorCatalogue;
