const mask = '[redacted]';
const deepest = 6;

const secretKeys = new Set(
  [
    'xApiKey apiKey authorization proxyAuthorization cookie setCookie password passphrase secret clientSecret',
    'token accessToken refreshToken idToken identityToken sessionToken sessionKey ticket code twoFactorCode',
    'recoveryCode otp totp pin signature privateKey jwt assertion credential credentials nonce',
  ]
    .join(' ')
    .split(' ')
    .map((key) => key.toLowerCase()),
);

const shownKeyLength = 12;
// More of a key than its first twelve characters, which lists and logs may show.
const apiKeyText = /(tk_(?:pub|ses|adm)_[0-9A-Za-z]{5})[0-9A-Za-z]+/g;
const passwordInUrl = /(:\/\/[^\s:@/"\\]*):[^\s@/"\\]+@/g;

/**
 * The members fit for the log: values under secret-bearing keys are masked, at any depth down to six. The same
 * object when there is nothing to mask, which is nearly always.
 */
export function redactMembers(value: object): Record<string, unknown> {
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const member = members[key];
    const isPlain = member === null || (typeof member !== 'object' && typeof member !== 'bigint');
    if (!isPlain || (isSecretKey(key) && holdsText(member))) return copyMembers(value, 0);
  }
  return members;
}

/** Masks everything in a text that looks like one of our API keys, or like a password in a URL. */
export function redactText(text: string): string {
  return withoutPassword(holdsApiKey(text) ? text.replace(apiKeyText, `$1${mask}`) : text);
}

export function withoutPassword(text: string): string {
  return text.includes('://') ? text.replace(passwordInUrl, `$1:${mask}@`) : text;
}

// Most lines contain only the first twelve characters of a key. They are recognised without a search.
function holdsApiKey(text: string): boolean {
  for (let at = text.indexOf('tk_'); at !== -1; at = text.indexOf('tk_', at + 3)) {
    if (isAlphanumeric(text.charCodeAt(at + shownKeyLength))) return true;
  }
  return false;
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function copyMembers(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    copy[key] = isSecretKey(key) && holdsText(member) ? mask : copyValue(member, depth + 1);
  }
  return copy;
}

function copyValue(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return copyError(value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth > deepest) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => copyValue(item, depth + 1));
  return copyMembers(value, depth);
}

const faultName = /^[A-Z0-9_]{1,64}$/;

// `code` of an Error is a driver's or Node's name for the fault, not a one-time code: it keeps another name.
function copyError(error: Error, depth: number): Record<string, unknown> {
  const { name: type, message, stack, cause } = error;
  const copy: Record<string, unknown> = { type, message };
  if ('code' in error && faultName.test(String(error.code))) copy['errorCode'] = error.code;
  if (stack !== undefined) copy['stack'] = stack;
  if (cause !== undefined && depth <= deepest) copy['cause'] = copyValue(cause, depth + 1);
  if (error instanceof AggregateError && depth <= deepest) {
    copy['errors'] = error.errors.map((each) => copyValue(each, depth + 1));
  }
  return copy;
}

// Numbers and flags with such a name ("code": 1003, "password": true) contain no secret.
function holdsText(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'number' && typeof value !== 'boolean';
}

const known = new Map<string, boolean>();
const knownAtMost = 2000;

function isSecretKey(key: string): boolean {
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const secret = secretKeys.has(key.replace(/[-_\s]/g, '').toLowerCase());
  if (known.size < knownAtMost) known.set(key, secret);
  return secret;
}
