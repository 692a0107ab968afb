import { type AuthenticationResponse, promptFlags, type SessionRecord } from '../session-api.ts';

const flags = Object.fromEntries(promptFlags.map((flag) => [flag, false])) as Record<
  (typeof promptFlags)[number],
  boolean
>;

export const sampleSession: SessionRecord = {
  id: 'us-abcdefghijkmnpqrstuv',
  accountId: 'u-abcdefghijkmnpqrstuv',
  projectId: 'p-abcdefghijkm',
  apiKey: `tk_ses_${'0'.repeat(36)}`,
  secretKey: null,
  start: 1_795_238_674,
  expiry: 1_795_242_274,
  absoluteExpiry: 1_797_830_674,
  metered: false,
  billedMinutes: 0,
  profile: { displayName: null, avatarUrl: null, locale: null },
  role: 'builtin:user',
  amr: ['deviceTest'],
  newAccount: true,
};

const nothing: AuthenticationResponse = {
  authenticatedSession: null,
  intent: null,
  availableProjects: null,
  linking: null,
  exchangeId: 'x-abcdefghijkmnpqrstuv',
  exchangeExpires: 1_795_239_274,
  issuedDeviceToken: null,
  createdProject: null,
  created: false,
  tokens: [],
  notices: [],
  ...flags,
};

export const askedForPassword: AuthenticationResponse = {
  ...nothing,
  exchangeId: 'x-bbcdefghijkmnpqrstuv',
  intent: 'login',
  promptForPassword: true,
};

export const signedIn: AuthenticationResponse = {
  ...nothing,
  authenticatedSession: { ...sampleSession, secretKey: 'A'.repeat(43) },
  created: true,
  tokens: [{ provider: 'deviceTest', index: 0, status: 'accepted', displayName: null }],
};

export const sampleAccount = {
  id: sampleSession.accountId,
  emailAddress: null,
  emailVerified: false,
  hasPassword: false,
  hasTwoFactor: false,
  profile: { displayName: null, avatarUrl: null, locale: null },
  marketingPreferenceOptIn: null,
  created: 1_795_238_674,
};
