import { type AuthenticationResponse, promptFlags, type SessionRecord } from '@tickrate/contract';

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
  twoFactorEnrolment: null,
  recoveryCodes: null,
  createdProject: null,
  created: false,
  tokens: [],
  notices: [],
  unknownMembers: [],
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

export const switched: AuthenticationResponse = {
  ...nothing,
  exchangeId: 'x-cbcdefghijkmnpqrstuv',
  authenticatedSession: {
    ...sampleSession,
    id: 'us-bbcdefghijkmnpqrstuv',
    accountId: 'u-bbcdefghijkmnpqrstuv',
    projectId: 'p-bbcdefghijkm',
    apiKey: `tk_ses_${'1'.repeat(36)}`,
    role: 'builtin:admin',
    amr: ['pwd'],
    newAccount: false,
  },
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

const at = '2026-11-21T09:00:00.000Z';
const leaving = {
  accountId: 'u-ccdefghijkmnpqrstuvw',
  projectId: sampleSession.projectId,
  sessionId: 'us-ccdefghijkmnpqrstuvw',
  clientAddress: '127.0.0.1',
};

function act(name: string, details: object) {
  const { projectId, sessionId, clientAddress } = leaving;
  return { at, act: name, projectId, sessionId, clientAddress, details };
}

export const sampleExport = {
  account: {
    id: leaving.accountId,
    realm: leaving.projectId,
    emailAddress: null,
    emailVerified: null,
    displayName: null,
    avatarUrl: null,
    locale: null,
    marketingPreferenceOptIn: null,
    marketingPreferenceChanged: null,
    acceptedTerms: {},
    created: at,
    passwordChanged: null,
    secondFactorConfirmed: null,
  },
  identities: [
    {
      provider: 'deviceTest',
      tenant: '',
      subject: 'test:laptop-2',
      displayName: null,
      linked: at,
      lastUsed: at,
    },
  ],
  sessions: [
    {
      id: leaving.sessionId,
      projectId: leaving.projectId,
      role: 'builtin:user',
      amr: ['deviceTest'],
      started: at,
      proven: at,
      expires: at,
      ended: null,
      endReason: null,
      clientAddress: leaving.clientAddress,
      metered: false,
    },
  ],
  devices: [],
  roles: [],
  mails: [],
  audit: [
    act('signIn', {
      amr: ['deviceTest'],
      role: 'builtin:user',
      project: leaving.projectId,
      newAccount: true,
    }),
    act('accountExported', {}),
  ],
  events: [],
  quarantined: [],
  complete: true,
};

export const sampleErasure = { id: '019ab2c4-5d6e-7f80-9123-456789abc444', projectId: leaving.projectId };
