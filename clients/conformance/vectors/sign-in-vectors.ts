/*
 * Transcripts of the sign-in reducer. Each step gives the input, then the body that must be sent, the answer, and what the
 * reducer makes of it. Members of an answer that are null, false or empty are left out here, as a reader must accept.
 */

interface Step {
  readonly input?: Readonly<Record<string, unknown>>;
  readonly sends: Readonly<Record<string, unknown>>;
  /** The default is PUT /2018-03-24/authenticate. */
  readonly call?: string;
  readonly status?: number;
  readonly answer: unknown;
  readonly expect: Readonly<Record<string, unknown>>;
}

const session = (id: string, accountId: string) => ({
  id,
  accountId,
  projectId: 'p-1',
  apiKey: `tk_ses_${id}`,
  secretKey: 'once',
  start: 1767225600,
  expiry: 1767229200,
  absoluteExpiry: 1769817600,
  metered: false,
  billedMinutes: 0,
  profile: { displayName: null, avatarUrl: null, locale: null },
  role: 'builtin:user',
  amr: ['pwd'],
  newAccount: false,
});
const failed = (code: number, data: Record<string, unknown> = {}) => ({
  code,
  message: 'text',
  fields: null,
  data: { requestId: 'r', reason: 'x', ...data },
});
const wrong = (code: number) => ({ code, message: 'text', fields: null });

const email = 'ada@example.com';
const password = 'correct horse battery staple';

const device: Step[] = [
  {
    input: { device: { deviceId: 'new' } },
    sends: { tokens: { deviceTokens: [{ deviceId: 'new' }] } },
    answer: {
      authenticatedSession: session('us-1', 'u-1'),
      exchangeId: 'x-1',
      issuedDeviceToken: { deviceId: 'd-1', deviceSecret: 's-1' },
    },
    expect: { session: 'us-1', account: 'u-1', device: { deviceId: 'd-1', deviceSecret: 's-1' } },
  },
];

const passwordWithSecondFactor: Step[] = [
  {
    input: { email },
    sends: { emailAddress: email },
    answer: { exchangeId: 'x-1', intent: 'login', promptForPassword: true },
    expect: { prompt: 'password', options: {} },
  },
  {
    input: { password: 'not hers' },
    sends: { emailAddress: email, password: 'not hers', exchangeId: 'x-1' },
    status: 401,
    answer: failed(4001),
    expect: { prompt: 'password', options: {}, error: wrong(4001) },
  },
  {
    input: { password },
    sends: { emailAddress: email, password, exchangeId: 'x-1' },
    answer: { exchangeId: 'x-2', promptForTwoFactorCode: true },
    expect: { prompt: 'secondFactor', options: {} },
  },
  {
    input: { code: '000000' },
    sends: { emailAddress: email, password, exchangeId: 'x-2', twoFactor: { twoFactorCode: '000000' } },
    status: 401,
    answer: failed(4004, { amount: 4 }),
    expect: { prompt: 'secondFactor', options: {}, error: wrong(4004) },
  },
  {
    input: { code: '123456', trust: { identifier: '00112233445566778899aabbccddeeff', name: 'PC' } },
    sends: {
      emailAddress: email,
      password,
      exchangeId: 'x-2',
      twoFactor: {
        twoFactorCode: '123456',
        trustThisDevice: true,
        deviceIdentifier: '00112233445566778899aabbccddeeff',
        deviceIdentifierFriendlyName: 'PC',
      },
    },
    answer: { exchangeId: 'x-2', authenticatedSession: session('us-2', 'u-2') },
    expect: { session: 'us-2', account: 'u-2' },
  },
];

const linking: Step[] = [
  {
    input: { email, password, steamTicket: '14000000' },
    sends: { emailAddress: email, password, tokens: { steamTokens: [{ userTicket: '14000000' }] } },
    answer: {
      exchangeId: 'x-5',
      promptForLinking: true,
      linking: {
        reason: 'tokenOnOtherAccount',
        options: ['skip', 'switch', 'move'],
        accounts: [{ accountRef: 'u-1', displayName: null, providers: ['steam'] }],
      },
    },
    expect: {
      prompt: 'linking',
      options: {
        reason: 'tokenOnOtherAccount',
        options: ['skip', 'switch', 'move'],
        accounts: [{ accountRef: 'u-1', displayName: null, providers: ['steam'] }],
      },
    },
  },
  {
    input: { action: 'move', accountRef: 'u-1' },
    sends: {
      emailAddress: email,
      password,
      tokens: { steamTokens: [{ userTicket: '14000000' }] },
      exchangeId: 'x-5',
      linkDecision: { action: 'move', accountRef: 'u-1' },
    },
    answer: { exchangeId: 'x-5', authenticatedSession: session('us-3', 'u-2') },
    expect: { session: 'us-3', account: 'u-2' },
  },
];

const enrolmentOptions = { secret: 'JBSWY3DP', otpauthUri: 'otpauth://totp/x', qrSvg: '<svg/>' };
const enrolment: Step[] = [
  {
    input: { email, password },
    sends: { emailAddress: email, password },
    answer: { exchangeId: 'x-6', promptForTwoFactorCode: true, promptForEmailVerification: true },
    expect: { prompt: 'mailedCode', options: {} },
  },
  {
    input: { code: 'abcd-efgh' },
    sends: { emailAddress: email, password, exchangeId: 'x-6', twoFactor: { twoFactorCode: 'abcd-efgh' } },
    answer: { exchangeId: 'x-6', promptForTwoFactorEnrolment: true, twoFactorEnrolment: enrolmentOptions },
    expect: { prompt: 'secondFactorEnrolment', options: enrolmentOptions },
  },
  {
    input: { code: '123456' },
    sends: { emailAddress: email, password, exchangeId: 'x-6', twoFactor: { twoFactorCode: '123456' } },
    answer: {
      exchangeId: 'x-6',
      authenticatedSession: session('us-4', 'u-3'),
      recoveryCodes: ['abcd', 'efgh'],
    },
    expect: { session: 'us-4', account: 'u-3', recoveryCodes: ['abcd', 'efgh'] },
  },
];

const registration: Step[] = [
  {
    input: { itchIoKey: 'itch' },
    sends: { tokens: { itchIoTokens: [{ apiKey: 'itch' }] } },
    answer: { exchangeId: 'x-1', intent: 'register', promptForEmailAddress: true },
    expect: { prompt: 'registration', options: {} },
  },
  {
    input: { register: true, displayName: 'Ada', locale: 'en-GB' },
    sends: {
      tokens: { itchIoTokens: [{ apiKey: 'itch' }] },
      exchangeId: 'x-1',
      intent: 'register',
      registration: { displayName: 'Ada', locale: 'en-GB' },
    },
    answer: { exchangeId: 'x-1', promptForTerms: true },
    expect: { prompt: 'terms', options: {} },
  },
  {
    input: { terms: [{ id: 'eula', version: '2' }] },
    sends: {
      tokens: { itchIoTokens: [{ apiKey: 'itch' }] },
      exchangeId: 'x-1',
      intent: 'register',
      registration: { displayName: 'Ada', locale: 'en-GB', acceptedTerms: [{ id: 'eula', version: '2' }] },
    },
    answer: { exchangeId: 'x-1', promptForMarketingPreferenceOptIn: true },
    expect: { prompt: 'marketing', options: {} },
  },
  {
    input: { optIn: false },
    sends: {
      tokens: { itchIoTokens: [{ apiKey: 'itch' }] },
      exchangeId: 'x-1',
      intent: 'register',
      registration: { displayName: 'Ada', locale: 'en-GB', acceptedTerms: [{ id: 'eula', version: '2' }] },
      marketingPreferenceOptIn: false,
    },
    answer: { exchangeId: 'x-1', created: true, authenticatedSession: session('us-5', 'u-5') },
    expect: { session: 'us-5', account: 'u-5' },
  },
];

const verification: Step[] = [
  {
    input: { email, password },
    sends: { emailAddress: email, password },
    answer: { exchangeId: 'x-1', promptForEmailVerification: true },
    expect: { prompt: 'emailVerification', options: {} },
  },
  {
    input: { code: 'not-the-code' },
    call: 'POST /2018-03-24/account/email/verify',
    sends: { token: 'not-the-code', password },
    status: 401,
    answer: failed(4002),
    expect: { prompt: 'emailVerification', options: {}, error: wrong(4002) },
  },
  {
    input: { code: 'mail-code' },
    call: 'POST /2018-03-24/account/email/verify',
    sends: { token: 'mail-code', password },
    answer: true,
    expect: { request: true },
  },
  {
    sends: { emailAddress: email, password, exchangeId: 'x-1' },
    answer: { exchangeId: 'x-1', authenticatedSession: session('us-6', 'u-2') },
    expect: { session: 'us-6', account: 'u-2' },
  },
];

const refusals: Step[] = [
  {
    input: { steamTicket: 'old' },
    sends: { tokens: { steamTokens: [{ userTicket: 'old' }] } },
    status: 401,
    answer: failed(4003),
    expect: { prompt: 'identifier', options: {}, error: wrong(4003) },
  },
  {
    input: { steamTicket: 'fresh' },
    sends: { tokens: { steamTokens: [{ userTicket: 'fresh' }] } },
    status: 503,
    answer: failed(6001, { retryAfterSeconds: 2 }),
    expect: { retry: true, retryAfterSeconds: 2 },
  },
  {
    sends: { tokens: { steamTokens: [{ userTicket: 'fresh' }] } },
    status: 403,
    answer: failed(4006, { banReason: 'x', banExpires: null }),
    expect: { error: wrong(4006), ended: true },
  },
];

const conflict: Step[] = [
  {
    input: { email },
    sends: { emailAddress: email },
    answer: { exchangeId: 'x-1', promptForPassword: true },
    expect: { prompt: 'password', options: {} },
  },
  {
    input: { password },
    sends: { emailAddress: email, password, exchangeId: 'x-1' },
    status: 409,
    answer: failed(4012),
    expect: { request: true },
  },
  {
    sends: { emailAddress: email, password },
    answer: { exchangeId: 'x-2', promptForPassword: true, passwordResetEmailSent: true },
    expect: { prompt: 'passwordUnset', options: {} },
  },
];

const unknown: Step[] = [
  {
    input: { email, password },
    sends: { emailAddress: email, password },
    answer: { exchangeId: 'x-1', promptForShoeSize: true },
    expect: { error: { code: 0, message: 'unknownPrompt', fields: null }, ended: true },
  },
];

export const signInVectors: Readonly<Record<string, readonly Step[]>> = {
  device,
  'password-with-second-factor': passwordWithSecondFactor,
  linking,
  enrolment,
  registration,
  verification,
  refusals,
  conflict,
  unknown,
};
