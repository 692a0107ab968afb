import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type Answer = Readonly<Record<string, unknown>> & { readonly ok: boolean };

/** One process that uses an SDK. */
export interface Driver {
  /** How often `track()` returned false. */
  readonly refused: number;
  /** Resolves with the answer. Rejects if it is an error, if it does not come, or if the process ends. */
  ask(command: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** How many events the SDK counts as lost, by reason. */
  losses(): Promise<Readonly<Record<string, number>>>;
  /** Sends a command whose answer nobody waits for. */
  send(command: Readonly<Record<string, unknown>>): void;
  kill(): Promise<void>;
  /** Lets the process end by itself, once its standard input ends. */
  end(): Promise<void>;
  readonly complaints: string;
}

const answerMs = 60_000;

/** Starts a driver. `confirmed` receives every event that `track()` confirmed, up to the moment of a kill. */
export function startDriver(command: readonly string[], confirmed: Set<number>): Driver {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  let complaints = '';
  let refused = 0;
  child.stderr.on('data', (part: Buffer) => {
    complaints = `${complaints}${part.toString()}`.slice(-4_000);
  });
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const said = parse(line);
    if (said === null) return;
    if (typeof said['tracked'] === 'number') confirmed.add(said['tracked']);
    else if (typeof said['refused'] === 'number') refused++;
    else if (typeof said['id'] === 'number') waiting.get(said['id'])?.(said as Answer);
  });
  // Lines that the process wrote before its end still arrive. Its output ends a moment before others see that it ended.
  const closed = Promise.all([once(lines, 'close'), once(child, 'exit')]);
  const send = (command: object) => {
    const id = ++lastId;
    child.stdin.write(`${JSON.stringify({ id, ...command })}\n`);
    return id;
  };
  const ask = (command: Readonly<Record<string, unknown>>) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const id = send(command);
    const what = JSON.stringify(command);
    const timer = setTimeout(() => reject(new Error(`no answer to ${what}: ${complaints}`)), answerMs);
    waiting.set(id, (answer) => {
      if (answer.ok) resolve(answer);
      else reject(new Error(`the driver failed at ${what}: ${JSON.stringify(answer)}`));
    });
    void closed.then(() => reject(new Error(`the driver ended before it answered ${what}: ${complaints}`)));
    return promise.finally(() => clearTimeout(timer));
  };
  return {
    get refused() {
      return refused;
    },
    get complaints() {
      return complaints;
    },
    send,
    ask,
    losses: async () => ((await ask({ do: 'losses' }))['losses'] ?? {}) as Record<string, number>,
    kill: () => endOf(child, closed, () => child.kill('SIGKILL')),
    end: () => endOf(child, closed, () => child.stdin.end()),
  };
}

async function endOf(child: ChildProcess, closed: Promise<unknown>, act: () => void): Promise<void> {
  act();
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await closed;
  clearTimeout(timer);
}

function parse(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    // A line that a kill cut.
    return null;
  }
}
