import { type AuthenticationResponse, promptFlags } from '@tickrate/contract';
import { CommandFault, commandCodes } from '../command.ts';
import { keepSession } from './find-api.ts';
import type { RemoteCommand } from './remote-command.ts';

export const signInCommand: RemoteCommand = {
  ...{ words: 'sign-in', operands: '', fewest: 0, most: 0, options: ['email', 'code', 'project', 'auth'] },
  summary: 'open a session as an administrator; the password is TICKRATE_PASSWORD or standard input',
  async run({ api, place, given, password, readInput }) {
    const { email, project, code, folder } = given;
    if (email === null) throw wrongUse('Say who with --email ADDRESS');
    if (place.console === null) throw wrongUse('Say where the console is with --url URL');
    const key = place.publicKey ?? place.key;
    const answer = await api.call<AuthenticationResponse>({
      ...{ at: 'auth', method: 'PUT', path: '/2018-03-24/authenticate' },
      ...(key !== null && { key }),
      body: {
        ...{ emailAddress: email, requestedRole: 'builtin:admin', promptForProject: project === null },
        password: password ?? (await readInput()).replace(/\r?\n$/, ''),
        ...(project !== null && { projectId: project }),
        ...(code !== null && { twoFactor: { twoFactorCode: code } }),
      },
    });
    const session = answer.authenticatedSession;
    if (session === null) throw unfinished(answer);
    const { apiKey, projectId, expiry, accountId } = session;
    const file = keepSession(folder, { console: place.console, key: apiKey, projectId, expiry });
    const until = new Date(expiry * 1000).toISOString();
    const lines = [`Signed in to project ${projectId} until ${until}. The session is in ${file}`];
    return { code: commandCodes.done, json: { accountId, projectId, expires: until, file }, lines };
  },
};

const nextStep: Readonly<Record<string, string>> = {
  promptForTwoFactorCode: 'sign in again with --code CODE',
  promptForProject: 'sign in again with --project ID',
};

function unfinished(answer: AuthenticationResponse): CommandFault {
  const flag = promptFlags.find((name) => answer[name]) ?? 'promptForPassword';
  const projects = answer.availableProjects?.map(({ id }) => id).join(', ') ?? '';
  const step = nextStep[flag] ?? `more is asked for (${flag}) than this command can give: use the console`;
  const hint = flag === 'promptForProject' && projects !== '' ? `: ${projects}` : '';
  return new CommandFault(`Not signed in: ${step}${hint}`, { code: commandCodes.refused });
}

function wrongUse(message: string): CommandFault {
  return new CommandFault(message, { code: commandCodes.wrongUse });
}
