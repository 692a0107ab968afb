import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { BrowserStart } from './killable-browser.ts';

const programs = ['firefox', 'firefox-esr'];

/** The name of the Firefox on the PATH; null without one. */
export function findFirefox(): string | null {
  return programs.find((name) => spawnSync(name, ['--version']).status === 0) ?? null;
}

/** A plain Firefox without a window, over WebDriver BiDi: the Firefox of Playwright is a patched one. */
export const startFirefox: BrowserStart = async (profile) => {
  const program = findFirefox() ?? 'firefox';
  const call = await connectBidi(await launch(program, profile));
  await call('session.new', { capabilities: {} });
  const { context } = (await call('browsingContext.create', { type: 'tab' })) as { context: string };
  return {
    async open(url) {
      await call('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async evaluate(expression) {
      const { type, result, exceptionDetails } = (await call('script.evaluate', {
        expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
        target: { context },
        awaitPromise: true,
      })) as Evaluated;
      if (type === 'exception') throw new Error(`in the page: ${exceptionDetails?.text}`);
      return JSON.parse(result?.value ?? 'null');
    },
    async hide() {
      await call('browsingContext.create', { type: 'tab', background: false });
    },
  };
};

interface Evaluated {
  readonly type: 'success' | 'exception';
  readonly result?: { readonly value: string };
  readonly exceptionDetails?: { readonly text: string };
}

/** Returns the address of its WebSocket. The working folder is the profile, so that all its processes are found by it. */
async function launch(program: string, profile: string): Promise<string> {
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
  const firefox = spawn(program, [...args, 'about:blank'], {
    cwd: profile,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  for await (const data of firefox.stderr) {
    said += data;
    const address = /BiDi listening on (ws:\S+)/.exec(said)?.[1];
    if (address !== undefined) return `${address}/session`;
  }
  throw new Error(`${program} ended before it listened: ${said}`);
}

type Call = (method: string, params: object) => Promise<unknown>;

interface Reply {
  readonly id?: number;
  readonly type: string;
  readonly result?: unknown;
  readonly message?: string;
}

async function connectBidi(address: string): Promise<Call> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, type, result, message } = JSON.parse(String(data)) as Reply;
    if (type === 'error') waiting.get(id)?.reject(new Error(message));
    else waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has ended'));
  });
  await once(socket, 'open');
  let last = 0;
  return (method, params) => {
    const reply = Promise.withResolvers<unknown>();
    waiting.set(++last, reply);
    socket.send(JSON.stringify({ id: last, method, params }));
    return reply.promise;
  };
}
