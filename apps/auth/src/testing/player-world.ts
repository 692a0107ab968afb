import { createManualClock, type ManualClock, startSteamStandIn, waitUntil } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { afterAll, expect } from 'vitest';
import { type AnswerBody, type AuthInstance, type AuthWorld, startAuthWorld } from './auth-world.ts';

export const password = 'correct horse battery staple';
export const newDevice = { tokens: { deviceTokens: [{ deviceId: 'new' }] } };
export const device = (deviceId: string) => ({ deviceTestTokens: [{ deviceId }] });
export const withCode = (twoFactorCode: string) => ({ twoFactor: { twoFactorCode } });
export const sessionOf = (answer: AnswerBody) => answer.authenticatedSession;

interface Login {
  readonly emailAddress: string;
  readonly password: string;
}

/** The answer that shows the session what to set up, after the code of the mail if its account has an address. */
export async function beginSetup(
  { world, auth }: Pick<PlayersOptions, 'world' | 'auth'>,
  sessionKey: string,
): Promise<AnswerBody> {
  const call = { key: sessionKey, path: 'account/twofactor' };
  const { emailAddress } = (await auth.send({ key: sessionKey, method: 'GET', path: 'account' })).body;
  const before = await world.mailedCodes(emailAddress);
  const begun = (await auth.send(call)).body;
  if (!begun.promptForTwoFactorCode) return begun;
  const newer = async () =>
    (await world.mailedCodes(emailAddress)).find((code) => !before.includes(code)) ?? null;
  const twoFactorCode = await waitUntil(newer, { what: `a mail to ${emailAddress}` });
  return (await auth.send({ ...call, body: { twoFactorCode } })).body;
}

interface PlayersOptions {
  readonly world: AuthWorld;
  readonly auth: AuthInstance;
  readonly clock: ManualClock;
}

/** The calls of players in a test. */
export function createPlayers({ world, auth, clock }: PlayersOptions) {
  /** Signs in. */
  async function send(key: string, body: object, at = auth): Promise<AnswerBody> {
    return (await at.send({ key, body })).body;
  }

  /** The code of the next mail. */
  async function mailed(to: string, before: string | null = null): Promise<string> {
    const newer = async () => {
      const code = await world.mailedCode(to);
      return code === before ? null : code;
    };
    return (await waitUntil(newer, { what: `a mail to ${to}` })) ?? '';
  }

  /** Signs in after the minute in which an identical request gets the earlier answer. */
  async function sendLater(key: string, body: object): Promise<AnswerBody> {
    clock.advance(61_000);
    return send(key, body);
  }

  /** The code that a project with a required second factor mails after the password. */
  async function mailedCodeFor(key: string, login: { emailAddress: string }): Promise<string> {
    const before = await world.mailedCode(login.emailAddress);
    const asked = await sendLater(key, login);
    const flags = { promptForEmailVerification: true, promptForTwoFactorCode: true };
    expect(asked).toMatchObject({ ...flags, twoFactorEnrolment: null, authenticatedSession: null });
    return mailed(login.emailAddress, before);
  }

  /** The answer that shows the setup of a required second factor. */
  async function showSetup(key: string, login: { emailAddress: string }): Promise<AnswerBody> {
    return sendLater(key, { ...login, ...withCode(await mailedCodeFor(key, login)) });
  }

  /** The audit trail of a project, oldest first. */
  function audited(projectId: string): Promise<{ act: string; account_id: string; details: AnswerBody }[]> {
    const sql = 'SELECT act, account_id, details FROM auth.audit WHERE project_id = $1 ORDER BY at, id';
    return world.db.query(sql, [projectId]);
  }

  /** Creates an account by its address, with the password of all tests. */
  async function register(key: string, emailAddress: string, more: object = {}): Promise<Login> {
    const before = await world.mailedCode(emailAddress);
    const begun = await send(key, { emailAddress, password, intent: 'register', ...more });
    expect(begun).toMatchObject({ authenticatedSession: null, promptForEmailVerification: true });
    const body = { token: await mailed(emailAddress, before), password };
    const done = await auth.send({ key, method: 'POST', path: 'account/email/verify', body });
    expect(done.body).toBe(true);
    return { emailAddress, password };
  }

  /** Sets up a second factor for the account of the session. */
  async function enrol(sessionKey: string): Promise<{ code: () => string; recoveryCodes: string[] }> {
    const call = { key: sessionKey, path: 'account/twofactor' };
    const begun = await beginSetup({ world, auth }, sessionKey);
    expect(begun).toMatchObject({ otpauthUri: expect.stringContaining('otpauth://totp/') });
    const secret = Secret.fromBase32(new URL(begun.otpauthUri).searchParams.get('secret') ?? '');
    const code = () => new TOTP({ secret }).generate({ timestamp: clock.now() });
    const confirmed = await auth.send({ ...call, method: 'POST', body: { twoFactorCode: code() } });
    expect(confirmed.body.recoveryCodes).toHaveLength(10);
    // A new time step, and more than the minute in which an earlier sign-in is answered again.
    clock.advance(90_000);
    return { code, recoveryCodes: confirmed.body.recoveryCodes };
  }

  return {
    send,
    sendLater,
    mailed,
    mailedCodeFor,
    register,
    enrol,
    showSetup,
    audited,

    /** Signs in and sets up a second factor. Returns the codes of its authenticator. */
    async enrolWith(key: string, login: object): Promise<() => string> {
      const { apiKey } = sessionOf(await send(key, login));
      return (await enrol(apiKey)).code;
    },
  };
}

/** Two instances, and projects whose players sign in with Steam too. */
export async function startSteamWorld() {
  const steam = await startSteamStandIn();
  afterAll(() => steam.stop());
  const clock = createManualClock();
  const { world, auth: one } = await startAuthWorld({ now: clock.now, values: { development: true } });
  const other = await world.start({ development: true });
  let players = 0;
  return {
    ...createPlayers({ world, auth: one, clock }),
    clock,
    world,
    one,
    other,

    project(sessions: object = {}) {
      const { publisherKey, address } = steam;
      const providers = { steam: { publisherKey, appIds: ['480'], profile: false, address } };
      return world.project({ providers, sessions });
    },

    /** The token of a new player. */
    ticket() {
      players += 1;
      const userTicket = steam.issueTicket({ appId: '480', steamId: `7656119796029${1000 + players}` });
      return { steamTokens: [{ userTicket }] };
    },
  };
}
