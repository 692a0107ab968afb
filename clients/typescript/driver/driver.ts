import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { conformanceEvent, conformanceType } from '../../conformance/conformance-event.ts';

/*
 * The driver of the TypeScript SDK. It imports the built package, as a game does.
 */

type Sdk = typeof import('../src/node/node.ts');
type Client = Awaited<ReturnType<Sdk['Tickrate']['open']>>;
type SignIn = Awaited<ReturnType<Client['signIn']>>;

interface Command {
  readonly id: number;
  readonly do: string;
  readonly [name: string]: unknown;
}

const built = new URL('../dist/node.js', import.meta.url).href;
const { Tickrate }: Sdk = await import(built);

let client: Client | null = null;
let run = '';
let offsetMs = 0;
let step: SignIn | null = null;

const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);

const commands: Readonly<Record<string, (command: Command) => Promise<object> | object>> = {
  async open(command) {
    const { url, key, folder, consent, principal, tuning } = command as unknown as Record<string, string>;
    run = String(command['run']);
    const random = () => Math.random();
    const platform = {
      wallMs: () => Date.now() + offsetMs,
      monotonicMs: () => performance.now(),
      random,
      randomHex: (bytes: number) =>
        Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex'),
      fetch,
    };
    client = await Tickrate.open(
      {
        url: url ?? '',
        key: key ?? '',
        folder: folder ?? '',
        consent: (consent ?? 'granted') as 'granted',
        account: principal === 'key' ? 'key' : 'device',
        tuning: (tuning ?? {}) as object,
        debug: (message: string) => process.stderr.write(`${message}\n`),
      },
      platform,
    );
    return { durable: client.durable };
  },
  async track({ from, count, padding = 0 }) {
    for (let n = Number(from); n < Number(from) + Number(count); n++) {
      const event = conformanceEvent(run, n, Number(padding));
      const isTracked = client?.track({ eventType: conformanceType, eventTypeVersion: 1, event });
      say(isTracked ? { tracked: n } : { refused: n });
      // Requests and timers run between events, as in a game.
      if (n % 20 === 0) await new Promise(setImmediate);
    }
    return {};
  },
  flush: async ({ timeoutMs }) => ({ sent: await client?.flush({ timeoutMs: Number(timeoutMs) }) }),
  pending: () => ({ events: client?.pending }),
  losses: () => ({ losses: client?.losses }),
  async consent({ state }) {
    await client?.setConsent(state as 'granted');
    return {};
  },
  async signIn({ input }) {
    step = (await client?.signIn(input as object)) ?? null;
    return shown(step);
  },
  async answer({ input }) {
    if (step && 'answer' in step) step = await step.answer(input as object);
    return shown(step);
  },
  signOut() {
    client?.signOut();
    return {};
  },
  clock({ offsetMs: moved }) {
    offsetMs = Number(moved);
    return {};
  },
  background() {
    client?.background();
    return {};
  },
  async close({ timeoutMs }) {
    await client?.close({ timeoutMs: Number(timeoutMs ?? 1_500) });
    return {};
  },
};

function shown(signIn: SignIn | null): object {
  if (signIn === null) return {};
  if (signIn.prompt !== null) return { prompt: signIn.prompt, options: signIn.options, error: signIn.error };
  return { account: signIn.accountId, error: signIn.error };
}

const input = createInterface({ input: process.stdin });
let last: Promise<unknown> = Promise.resolve();
input.on('line', (line) => {
  const command = JSON.parse(line) as Command;
  last = last.then(async () => {
    try {
      const act = commands[command.do];
      say({ id: command.id, ok: act !== undefined, ...(await act?.(command)) });
    } catch (error) {
      say({ id: command.id, ok: false, error: String(error) });
    }
  });
});
input.on('close', () => process.exit(0));
