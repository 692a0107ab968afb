import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { prepareDataFolder } from './data-folder.ts';
import type { ChildExit, EmbeddedServer } from './embedded-server.ts';
import { claimFolder } from './folder-owner.ts';
import { holdsWithin } from './process-table.ts';

const TAIL_LINES = 40;
const NEEDED_BYTES = 100 * 1024 * 1024;

/** A server that is ready, and how it ends. */
export interface StartedServer extends Pick<EmbeddedServer, 'name' | 'url' | 'port'> {
  readonly process: ServerProcess;
  end(): Promise<void>;
}

/** Starts a server as the only owner of its data folder. The folder is free again when it has ended, or did not start. */
export async function ownFolder(
  dataDir: string,
  start: () => Promise<StartedServer>,
): Promise<EmbeddedServer> {
  prepareDataFolder(dataDir, NEEDED_BYTES);
  const owner = claimFolder(dataDir);
  try {
    const { process, end, ...server } = await start();
    let stopping: Promise<void> | undefined;
    return {
      ...server,
      pid: process.pid,
      exited: process.exited.finally(owner.release),
      stop() {
        stopping ??= end().then(owner.release);
        return stopping;
      },
    };
  } catch (error) {
    owner.release();
    throw error;
  }
}

export type ServerProcess = ReturnType<typeof spawnServer>;

/** Starts it in a separate session: Ctrl-C in the terminal reaches only us, and we stop it in order. */
export function spawnServer(command: {
  readonly file: string;
  readonly args: readonly string[];
  readonly workingDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly identity?: { readonly uid: number; readonly gid: number } | undefined;
  readonly ipc: boolean;
  readonly onLog?: ((line: string) => void) | undefined;
}) {
  const child = spawn(command.file, command.args, {
    cwd: command.workingDir,
    env: { ...command.env },
    detached: true,
    stdio: command.ipc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
    ...command.identity,
  });
  const lines: string[] = [];
  const keep = (line: string): void => {
    lines.push(line);
    if (lines.length > TAIL_LINES) lines.shift();
    command.onLog?.(line);
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on('line', keep);
  }
  let ended: ChildExit | undefined;
  const exited = new Promise<ChildExit>((resolve) => {
    const settle = (exit: ChildExit): void => {
      ended ??= exit;
      resolve(ended);
    };
    child.once('error', (error) => {
      keep(error.message);
      if (child.pid === undefined) settle({ code: null, signal: null });
    });
    child.once('close', (code, signalName) => settle({ code, signal: signalName }));
  });
  return {
    child,
    pid: child.pid ?? 0,
    exited,
    /** The exit, once the process has ended. */
    ended: () => ended,
    /** The last lines of its output. */
    tail: () => lines,
    /** Sends each signal in turn, and waits so long for the end before the next one. */
    async end(steps: readonly (readonly [name: NodeJS.Signals, waitMs: number])[]): Promise<void> {
      for (const [name, waitMs] of steps) {
        if (ended !== undefined) return;
        child.kill(name);
        await holdsWithin(() => ended !== undefined, waitMs);
      }
    },
  };
}
