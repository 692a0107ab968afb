import { parseCommandArguments } from '../command-arguments.ts';
import type { Api } from './api.ts';
import type { RemoteCommand } from './remote-command.ts';

export const nowMs = Date.UTC(2026, 10, 21, 9);

/** Runs a command of a test with these arguments against an API of the test's own. */
export async function runRemote(
  command: RemoteCommand | undefined,
  args: readonly string[],
  api: Pick<Api, 'call'>,
) {
  let out = '';
  const given = parseCommandArguments(args);
  const addresses = { console: null, gateway: null, auth: null, key: null };
  const result = await command?.run({
    ...{
      operands: given.words,
      given,
      api: { ...api, stream: () => Promise.reject(new Error('no stream')) },
    },
    place: { ...addresses, keyFrom: null, publicKey: null },
    out: (text) => (out += text),
    readInput: async () => '',
    readSecret: async () => '',
    ...{ interactive: false, password: null, signal: new AbortController().signal, now: () => nowMs },
  });
  return { out, result };
}
