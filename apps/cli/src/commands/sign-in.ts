import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { type AuthenticationResponse, promptFlags } from '@tickrate/contract';
import { Refusal } from '../calling/api.ts';
import { forgetSession, keepSession, readKeptSession } from '../calling/kept-session.ts';
import { type CommandFault, done, refused, wrongUse } from '../command-line/command.ts';
import { type CommandContext, defineCommand } from '../command-line/define-command.ts';
import { textOption } from '../command-line/options.ts';

export const signInCommand = defineCommand({
  words: 'sign-in',
  summary: 'sign in as an administrator; asks for the password, or reads TICKRATE_PASSWORD',
  options: {
    email: textOption('ADDRESS', 'the e-mail address; required'),
    code: textOption('CODE', 'the code of the second factor'),
    project: textOption('ID', 'the project to administer, when there are several'),
  },
  async run({ options: { email, code, project }, ...context }) {
    const { place, folder, values, readSecret, interactive } = context;
    if (email === undefined) throw wrongUse('Give the e-mail address with --email ADDRESS');
    if (place.console === null) throw wrongUse('Give the address of the console with --url URL');
    if (place.publicKey === null)
      throw wrongUse('Set TICKRATE_PUBLIC_KEY to a public key: auth accepts no administrative key');
    const { publicKey } = place;
    requireKeeping(folder);
    const password = values.password ?? (await readSecret('Password: '));
    let answer = await authenticate(context, publicKey, { email, password, project, code });
    if (answer.promptForTwoFactorCode && code === undefined && interactive) {
      const typed = await readSecret('Code of the second factor: ');
      answer = await authenticate(context, publicKey, { email, password, project, code: typed });
    }
    const session = answer.authenticatedSession;
    if (session === null) throw unfinished(answer);
    const { apiKey, projectId, expiry, accountId } = session;
    const file = keepSession(folder, { console: place.console, key: apiKey, projectId, expiry });
    const expires = new Date(expiry * 1000).toISOString();
    const { recoveryCodes } = answer;
    return done({ accountId, projectId, expires, file, ...(recoveryCodes && { recoveryCodes }) }, [
      `Signed in to project ${projectId} until ${expires}. The session is in ${file}`,
      ...(values.key === null ? [] : ['TICKRATE_KEY is set: commands use it, not this session.']),
      ...(recoveryCodes ? ['Keep these recovery codes: they are shown only once.', ...recoveryCodes] : []),
    ]);
  },
});

export const signOutCommand = defineCommand({
  words: 'sign-out',
  summary: 'end the session of `sign-in`, and forget it',
  async run({ api, place, folder }) {
    const session = readKeptSession(folder);
    if (session === null) return done({ signedOut: false }, ['No session is kept here.']);
    if (session.console !== place.console) throw wrongUse(`The session is one of ${session.console}`);
    try {
      await api.send({ to: 'auth', method: 'DELETE', path: '/2018-03-24/session', key: session.key });
    } catch (error) {
      // It has ended already.
      const code = error instanceof Refusal ? error.error?.code : undefined;
      if (code !== 2002 && code !== 2004) throw error;
    }
    forgetSession(folder);
    return done({ signedOut: true }, ['Signed out.']);
  },
});

/** Before a session is opened: one that cannot be kept would stay open, and nobody could use it. */
function requireKeeping(folder: string): void {
  try {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) mkdirSync(folder, { mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw wrongUse(
      `The session cannot be kept in ${folder}: name a folder that this user may write to with --data DIR`,
      error,
    );
  }
}

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly project: string | undefined;
  readonly code: string | undefined;
}

async function authenticate(
  { api }: Pick<CommandContext, 'api'>,
  key: string,
  { email, password, project, code }: Credentials,
): Promise<AuthenticationResponse> {
  const answer = await api.send({
    to: 'auth',
    path: '/2018-03-24/authenticate',
    key,
    body: {
      emailAddress: email,
      password,
      requestedRole: 'builtin:admin',
      promptForProject: project === undefined,
      ...(project !== undefined && { projectId: project }),
      ...(code !== undefined && { twoFactor: { twoFactorCode: code } }),
    },
  });
  return answer as AuthenticationResponse;
}

const nextSteps: Readonly<Record<string, string>> = {
  promptForTwoFactorCode: 'sign in again with --code CODE',
  promptForTwoFactorEnrolment: 'set up an authenticator, then sign in again with --code CODE',
  promptForProject: 'sign in again with --project ID',
};

function unfinished(answer: AuthenticationResponse): CommandFault {
  const flag = promptFlags.find((name) => answer[name]) ?? 'promptForPassword';
  const projects = answer.availableProjects?.map(({ id }) => id).join(', ') ?? '';
  const step =
    nextSteps[flag] ?? `the server asks for more than this command can give (${flag}): use the console`;
  const detail = flag === 'promptForProject' ? projects : (answer.twoFactorEnrolment?.otpauthUri ?? '');
  const hint = detail === '' ? '' : `: ${detail}`;
  return refused(`Not signed in: ${step}${hint}`);
}
