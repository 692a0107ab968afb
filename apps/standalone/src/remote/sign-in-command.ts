import { type AuthenticationResponse, promptFlags } from '@tickrate/contract';
import { CommandFault, commandCodes } from '../command.ts';
import { keepSession } from './find-api.ts';
import type { RemoteCall, RemoteCommand } from './remote-command.ts';

export const signInCommand: RemoteCommand = {
  ...{ words: 'sign-in', operands: '', fewest: 0, most: 0, options: ['email', 'code', 'project', 'auth'] },
  summary: 'open a session as an administrator; the password is asked for, or TICKRATE_PASSWORD',
  async run(call) {
    const { place, given, readSecret, interactive } = call;
    if (given.email === null) throw wrongUse('Say who with --email ADDRESS');
    if (place.console === null) throw wrongUse('Say where the console is with --url URL');
    const password = call.password ?? (await readSecret('Password: '));
    let answer = await authenticate(call, password, given.code);
    if (answer.promptForTwoFactorCode && given.code === null && interactive) {
      answer = await authenticate(call, password, await readSecret('Code of the second factor: '));
    }
    const session = answer.authenticatedSession;
    if (session === null) throw unfinished(answer);
    const { apiKey, projectId, expiry, accountId } = session;
    const file = keepSession(given.folder, { console: place.console, key: apiKey, projectId, expiry });
    const until = new Date(expiry * 1000).toISOString();
    const { recoveryCodes } = answer;
    const lines = [`Signed in to project ${projectId} until ${until}. The session is in ${file}`];
    if (recoveryCodes) lines.push('Keep these recovery codes, which are shown this once:', ...recoveryCodes);
    return {
      code: commandCodes.done,
      json: { accountId, projectId, expires: until, file, ...(recoveryCodes && { recoveryCodes }) },
      lines,
    };
  },
};

function authenticate(
  { api, place, given: { email, project } }: RemoteCall,
  password: string,
  code: string | null,
): Promise<AuthenticationResponse> {
  const key = place.publicKey ?? place.key;
  return api.call<AuthenticationResponse>({
    ...{ at: 'auth', method: 'PUT', path: '/2018-03-24/authenticate' },
    ...(key !== null && { key }),
    body: {
      ...{
        emailAddress: email,
        requestedRole: 'builtin:admin',
        promptForProject: project === null,
        password,
      },
      ...(project !== null && { projectId: project }),
      ...(code !== null && { twoFactor: { twoFactorCode: code } }),
    },
  });
}

const nextStep: Readonly<Record<string, string>> = {
  promptForTwoFactorCode: 'sign in again with --code CODE',
  promptForTwoFactorEnrolment: 'set up an authenticator, then sign in again with --code CODE',
  promptForProject: 'sign in again with --project ID',
};

function unfinished(answer: AuthenticationResponse): CommandFault {
  const flag = promptFlags.find((name) => answer[name]) ?? 'promptForPassword';
  const projects = answer.availableProjects?.map(({ id }) => id).join(', ') ?? '';
  const step = nextStep[flag] ?? `more is asked for (${flag}) than this command can give: use the console`;
  const told = flag === 'promptForProject' ? projects : (answer.twoFactorEnrolment?.otpauthUri ?? '');
  const hint = told === '' ? '' : `: ${told}`;
  return new CommandFault(`Not signed in: ${step}${hint}`, { code: commandCodes.refused });
}

function wrongUse(message: string): CommandFault {
  return new CommandFault(message, { code: commandCodes.wrongUse });
}
