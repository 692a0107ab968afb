import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Milliseconds of CPU that a process and its descendants have used so far, including their ended children. */
export function cpuMs(pid: number): number {
  return [pid, ...descendantsOf(pid)].reduce((sum, each) => sum + ownCpuMs(each), 0);
}

/** The same of one process and its ended children. */
export function ownCpuMs(pid: number): number {
  const fields = statOf(pid);
  // utime, stime, and those of the children that it has waited for
  const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields?.[at] ?? 0), 0);
  return (ticks * 1_000) / ticksPerSecond;
}

export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

export interface Cost {
  /** µs of CPU for one event, of all processes. */
  readonly sum: number;
  /** The same, split by process. */
  readonly text: string;
}

/** The CPU of processes, while it runs. */
export function createStopwatch(pids: Readonly<Record<string, number>>) {
  const processes = Object.entries(pids).map(([name, pid]) => ({ name, pid, beganMs: 0, ms: 0 }));
  return {
    start() {
      for (const each of processes) each.beganMs = cpuMs(each.pid);
    },
    stop() {
      for (const each of processes) each.ms += cpuMs(each.pid) - each.beganMs;
    },
    costOf(events: number): Cost {
      const parts = processes.map(({ name, ms }) => ({ name, us: (ms * 1_000) / events }));
      const sum = parts.reduce((total, { us }) => total + us, 0);
      const shares = parts.map(({ name, us }) => `${name} ${us.toFixed(1)}`);
      return { sum, text: `${sum.toFixed(2)} µs (${shares.join(', ')})` };
    },
  };
}

function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statOf(Number(name))?.[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const walk = (of: number) => {
    for (const child of children.get(of) ?? []) {
      found.push(child);
      walk(child);
    }
  };
  walk(pid);
  return found;
}

/** The fields after the process name; null when the process has ended. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
