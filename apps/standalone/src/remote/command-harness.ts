import { parseCommandArguments } from '../command-arguments.ts';
import type { Api } from './api.ts';
import type { RemoteCommand } from './remote-command.ts';

/** Runs commands of a test, at that time, against an API of the test's own. */
export function runnerAt(nowMs: number) {
  return async (command: RemoteCommand | undefined, args: readonly string[], api: Pick<Api, 'call'>) => {
    let out = '';
    const given = parseCommandArguments(args);
    const addresses = { console: null, gateway: null, auth: null, key: null };
    const stream = () => Promise.reject(new Error('no stream'));
    const result = await command?.run({
      ...{ operands: given.words, given, api: { ...api, stream } },
      place: { ...addresses, keyFrom: null, publicKey: null },
      out: (text) => (out += text),
      readInput: async () => '',
      readSecret: async () => '',
      ...{ interactive: false, password: null, signal: new AbortController().signal, now: () => nowMs },
    });
    return { out, result };
  };
}
