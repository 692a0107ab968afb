import { migrateLedger } from '@tickrate/pipeline';
import {
  createManualClock,
  type ExampleAnswer,
  freshPostgres,
  playExamples,
  startOidcServer,
  waitUntil,
} from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { studioOperations } from '../routes/studio-operations.ts';
import {
  type AuthAnswer,
  type AuthInstance,
  type AuthWorld,
  createAuthWorld,
  sessionOperations,
} from '../testing/auth-world.ts';
import { createSessionDocument } from './session-document.ts';

const { url } = await freshPostgres();
const clock = createManualClock();
const provider = await startOidcServer({ redirectUri: 'http://127.0.0.1:8082/sign-in' });
let world: AuthWorld;
let auth: AuthInstance;

beforeAll(async () => {
  await migrateLedger(url);
  world = await createAuthWorld(url, clock.now);
  auth = await world.start({
    adminSignup: 'open',
    adminOidcIssuer: provider.issuer,
    adminOidcClientId: provider.clientId,
    adminOidcName: 'Studio ID',
    adminOidcScopes: ['openid'],
  });
});
afterAll(() => Promise.all([world.close(), provider.stop()]));

const password = 'correct horse battery staple';

async function mailed(to: string, before: string | null = null): Promise<string> {
  const arrived = async () => {
    const code = await world.mailedCode(to);
    return code === before ? null : code;
  };
  return (await waitUntil(arrived, { what: `a mail to ${to}` })) as string;
}

async function administrator(key: string) {
  const body = { emailAddress: 'admin@example.com', password, requestedRole: 'builtin:admin' };
  await auth.send({ key, body: { ...body, intent: 'register' } });
  const token = await mailed('admin@example.com');
  await auth.send({ key, method: 'POST', path: 'account/email/verify', body: { token, password } });
  return (await auth.send({ key, body: { ...body, promptForProject: true } })).body.authenticatedSession;
}

test('every example of the document works as it is shown', async () => {
  const { projectId, key } = await world.project();
  const admin = await administrator(key);
  let session = '';
  let sessionId = '';
  let secret = '';
  let code = '';
  const signIn = async (deviceId: string) => {
    clock.advance(90_000);
    const body = { tokens: { deviceTestTokens: [{ deviceId }] } };
    notice(await auth.send({ key, body }));
  };
  const notice = ({ body }: AuthAnswer): void => {
    session = body.authenticatedSession?.apiKey ?? session;
    sessionId = body.authenticatedSession?.id ?? sessionId;
    secret = body.secret ?? secret;
  };
  let page = '';
  const isForAnyone = /authenticate$|provider$|password\/reset$|erasure\//;
  const played = await playExamples(sessionOperations, {
    known: { 'p-abcdefghijkm': projectId, 'p-bbcdefghijkm': admin.projectId },
    before: {
      visitStudioProvider: async (learn) => {
        const { examples } = studioOperations.visitStudioProvider;
        const begun = { key, method: 'POST', path: 'authenticate/provider', body: examples[0].body };
        page = (await auth.send(begun)).body.url;
        learn(examples[0].answer.url, page);
      },
      redeemStudioCode: async (learn) => {
        const returned = new URL(await provider.visit(page, 'kim'));
        learn('code-of-a-return', returned.searchParams.get('code') ?? '');
      },
      verifyEmail: async (learn) => {
        code = await mailed('bo@example.com');
        learn('code-of-a-mail', code);
      },
      beginTwoFactor: async (learn) => {
        clock.advance(1_000);
        await auth.send({ key: session, path: 'account/twofactor' });
        code = await mailed('bo@example.com', code);
        learn('abcd-efgh-ijkl-mnop', code);
      },
      confirmTwoFactor: async (learn) => {
        const totp = new TOTP({ secret: Secret.fromBase32(secret) });
        learn('123456', totp.generate({ timestamp: clock.now() }));
      },
      // One mail a minute to an address.
      requestPasswordReset: async () => void clock.advance(90_000),
      resetPassword: async (learn) => learn('code-of-a-reset', await mailed('bo@example.com', code)),
      endOneSession: async (learn) => {
        learn('us-cbcdefghijkmnpqrstuv', sessionId);
        await signIn('laptop-1');
      },
      endSession: () => signIn('laptop-3'),
      exportAccount: async () => {
        await signIn('laptop-2');
        clock.advance(1_000);
      },
    },
    send: async ({ path, ...call }): Promise<ExampleAnswer> => {
      const own = path.endsWith('/switch') ? admin.apiKey : session;
      const sent = {
        ...call,
        path: path.replace('/2018-03-24/', ''),
        key: isForAnyone.test(path) ? key : own,
      };
      const answer = await auth.send(sent);
      if (!path.endsWith('/switch')) notice(answer);
      return answer;
    },
  });
  expect(played).toBeGreaterThanOrEqual(sessionOperations.length);
});

test('the document and its page are served without a key', async () => {
  const served = await fetch(`${auth.url}/openapi.json`, { headers: { Connection: 'close' } });
  expect(await served.json()).toEqual(createSessionDocument(sessionOperations));
  const page = await fetch(`${auth.url}/docs`, { headers: { Connection: 'close' } });
  expect(await page.text()).toContain('Sign in');
});
