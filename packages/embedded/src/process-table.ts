import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

export interface ProcessFacts {
  readonly pid: number;
  readonly workingDir: string;
  readonly commandLine: string;
}

/** Distinguishes a process from a later one with the same id. Undefined if no process has the id. */
export function birthOf(pid: number, system = process.platform): string | undefined {
  if (system !== 'linux') {
    const [state = '', ...started] = run('ps', '-o', 'stat=,lstart=', '-p', String(pid)).trim().split(/\s+/);
    return state === '' || state.startsWith('Z') ? undefined : started.join(' ');
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** The processes whose working directory is exactly this (real) path. */
export function processesIn(dir: string, system = process.platform): ProcessFacts[] {
  if (system !== 'linux') {
    return openedBy(run('lsof', '-a', '-d', 'cwd', '-Fpn'), dir).map((pid) => ({
      pid,
      workingDir: dir,
      commandLine: run('ps', '-o', 'command=', '-p', String(pid)).trim(),
    }));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const facts = factsOf(Number(name));
      return facts?.workingDir === dir ? [facts] : [];
    });
}

function factsOf(pid: number): ProcessFacts | undefined {
  try {
    return {
      pid,
      workingDir: readlinkSync(`/proc/${pid}/cwd`),
      commandLine: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
    };
  } catch {
    return undefined;
  }
}

/** Of what `lsof -Fpn` lists: `p` and a process, then `n` and what it has open. */
function openedBy(list: string, path: string): number[] {
  let pid = 0;
  return list.split('\n').flatMap((line) => {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    return line === `n${path}` ? [pid] : [];
  });
}

/** What a program prints, even if it also complains. Without /proc, only programs know of other processes. */
function run(program: string, ...args: string[]): string {
  return (
    spawnSync(program, args, { encoding: 'utf8', env: { PATH: '/usr/bin:/bin:/usr/sbin', LC_ALL: 'C' } })
      .stdout ?? ''
  );
}

/** Sends a signal. Returns false if the process has ended. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

const POLL_MS = 20;

/** Resolves with true as soon as the condition holds, or with false after the time. */
export async function holdsWithin(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() >= deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
