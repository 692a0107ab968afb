import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createManualClock, freshPostgres, startSteamStandIn, waitUntil } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AnswerBody,
  type AuthInstance,
  type AuthWorld,
  createAuthWorld,
} from '../testing/auth-world.ts';
import { beginSetup } from '../testing/player-world.ts';

const { url } = await freshPostgres();
const steam = await startSteamStandIn();
const clock = createManualClock();
const page = '../../../../docs/sign-in-transcript.md';
const mark = '<!-- transcript -->\n';
let world: AuthWorld;
let auth: AuthInstance;
let key: string;
let written = '';

beforeAll(async () => {
  world = await createAuthWorld(url, clock.now);
  auth = await world.start({ development: true });
  const { publisherKey } = steam;
  const providers = { steam: { publisherKey, appIds: ['480'], profile: false, address: steam.address } };
  key = (await world.project({ providers })).key;
});
afterAll(async () => {
  await world.close();
  await steam.stop();
});

const password = 'correct horse battery staple';

function say(text: string): void {
  written += `${text}\n\n`;
}

/** Sends a request of the exchange and records both directions. */
async function put(body: object): Promise<AnswerBody> {
  const answer = await auth.send({ key, body });
  const shown = JSON.stringify(readable(answer.body), null, 2);
  written += `\`\`\`\nPUT /2018-03-24/authenticate\n${JSON.stringify(body)}\n→ ${answer.status}\n${shown}\n\`\`\`\n\n`;
  return answer.body;
}

/** Without null, false and empty members; the first session in full, later ones with the members that differ in meaning. */
function readable({ authenticatedSession: session, ...rest }: AnswerBody): object {
  const isFirst = !written.includes('authenticatedSession');
  const { accountId, role, amr, newAccount } = session ?? {};
  const shown = isFirst ? session : session && { accountId, role, amr, newAccount };
  return JSON.parse(JSON.stringify({ authenticatedSession: shown, ...rest }), withoutEmpty);
}

function withoutEmpty(name: string, value: unknown): unknown {
  const isEmpty = typeof value === 'object' && (value === null || Object.keys(value).length === 0);
  if (isEmpty || value === false || name === 'requestId' || name === 'exchangeExpires') return undefined;
  return name === 'recoveryCodes' && Array.isArray(value) ? [value[0], '…'] : value;
}

const names = new Map<string, string>();

/** The same id has the same name everywhere, in every run. */
function named(text: string): string {
  const ids =
    /[A-Z2-7]{32}(?=["&])|"qrSvg": ".*"|"[a-z2-7]{4}(?:-[a-z2-7]{4}){3}"|tk_ses_\w{36}|"secretKey": "[\w-]{43}"|\b(?:us|u|x|p)-[a-z0-9]{12,20}\b|"userTicket":"[0-9a-f]+"|"twoFactorCode":"(?:\d{6}|[a-z2-7-]{19})"/g;
  return text.replaceAll(ids, (id) => {
    if (id.startsWith('"secretKey')) return '"secretKey": "…"';
    if (id.startsWith('"qrSvg')) return '"qrSvg": "<svg …"';
    if (/^[A-Z2-7]{32}$/.test(id)) return 'JBSWY3DP…';
    if (/^"[a-z2-7]{4}-/.test(id)) return '"abcd-…"';
    if (id.startsWith('"userTicket')) return '"userTicket":"14000000…"';
    if (/^"twoFactorCode":"[a-z2-7]{4}-/.test(id)) return '"twoFactorCode":"abcd-…"';
    if (id.startsWith('"twoFactorCode')) return '"twoFactorCode":"123456"';
    const prefix = id.startsWith('tk_ses_') ? 'tk_ses_…' : `${id.split('-', 1)[0]}-…`;
    const count = [...names.values()].filter((name) => name.startsWith(prefix)).length;
    const name = names.get(id) ?? `${prefix}${count + 1}`;
    names.set(id, name);
    return name;
  });
}

async function registerByMail(emailAddress: string): Promise<void> {
  await auth.send({ key, body: { emailAddress, password, intent: 'register' } });
  const token = await waitUntil(() => world.mailedCode(emailAddress), { what: 'a mail' });
  await auth.send({ key, method: 'POST', path: 'account/email/verify', body: { token, password } });
}

async function enrol(apiKey: string): Promise<() => string> {
  const { secret } = await beginSetup({ world, auth }, apiKey);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = () => totp.generate({ timestamp: clock.now() });
  await auth.send({
    key: apiKey,
    method: 'POST',
    path: 'account/twofactor',
    body: { twoFactorCode: code() },
  });
  clock.advance(90_000);
  return code;
}

test('docs/sign-in-transcript.md shows the real transcript', async () => {
  const steamTokens = () => [
    { userTicket: steam.issueTicket({ appId: '480', steamId: '76561197960287930' }) },
  ];
  say('### Steam only\n\nOne request is enough: it creates the account and returns a session.');
  const bySteam = await put({ tokens: { steamTokens: steamTokens() } });

  say('### E-mail with a second factor');
  await registerByMail('ada@example.com');
  const login = { emailAddress: 'ada@example.com', password };
  const { body } = await auth.send({ key, body: login });
  const code = await enrol(body.authenticatedSession.apiKey);
  await put({ emailAddress: login.emailAddress });
  await put({ ...login, password: 'not hers' });
  say('The correct password continues the sign-in; the wrong one changed nothing:');
  await put(login);
  await put({ ...login, twoFactor: { twoFactorCode: code() } });

  say(
    '### A token of another account\n\nAda adds the Steam token from above, which is linked to another account.',
  );
  clock.advance(90_000);
  const both = { ...login, tokens: { steamTokens: steamTokens() }, twoFactor: { twoFactorCode: code() } };
  const asked = await put(both);
  const { accountRef } = asked.linking.accounts[0];
  expect(accountRef).toBe(bySteam.authenticatedSession.accountId);
  await put({ ...both, exchangeId: asked.exchangeId, linkDecision: { action: 'move', accountRef } });

  say('### A required second factor\n\nThe project requires a second factor for passwords, and Bo has none.');
  key = (await world.project({ sessions: { requireSecondFactor: true } })).key;
  await registerByMail('bo@example.com');
  const bo = { emailAddress: 'bo@example.com', password };
  const before = await world.mailedCode(bo.emailAddress);
  clock.advance(61_000);
  await put(bo);
  say('A password may be stolen, so the owner must confirm first. Bo sends the mailed code:');
  const mailed = async () => {
    const code = await world.mailedCode(bo.emailAddress);
    return code === before ? null : code;
  };
  const twoFactorCode = await waitUntil(mailed, { what: 'the mail' });
  const { twoFactorEnrolment } = await put({ ...bo, twoFactor: { twoFactorCode } });
  say('Bo scans the QR code and sends the first code of the authenticator:');
  const his = new TOTP({ secret: Secret.fromBase32(twoFactorEnrolment.secret) });
  await put({ ...bo, twoFactor: { twoFactorCode: his.generate({ timestamp: clock.now() }) } });

  say(
    '### An administrator without a project\n\nThis installation has no administrator yet. The first one to sign in becomes it, and gets a project.',
  );
  await put({
    emailAddress: 'boss@example.com',
    password,
    requestedRole: 'builtin:admin',
    promptForProject: true,
  });

  const path = join(import.meta.dirname, page);
  const text = readFileSync(path, 'utf8');
  const head = text.slice(0, text.indexOf(mark) + mark.length);
  expect(head).toContain(mark);
  await expect(`${head}\n${named(written).trimEnd()}\n`).toMatchFileSnapshot(page);
});
