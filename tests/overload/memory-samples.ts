import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** The memory of processes over time, each with all that it started. */
export interface MemorySamples {
  /** By name, in bytes, one for each sample. */
  readonly bytes: ReadonlyMap<string, readonly number[]>;
}

/** Samples twice a second until `ended` settles. */
export async function sampleMemory(
  processes: ReadonlyMap<string, number>,
  ended: Promise<unknown>,
): Promise<MemorySamples> {
  const bytes = new Map([...processes.keys()].map((name) => [name, [] as number[]]));
  let isOver = false;
  const over = ended.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const tree = processTree();
    for (const [name, pid] of processes) bytes.get(name)?.push(memoryOf(pid, tree));
    await Promise.race([delay(500), over]);
  }
  return { bytes };
}

/** Memory of the last part divided by that of the first half after warm-up: 1 is flat. */
export function growth(samples: readonly number[]): number {
  const warm = samples.slice(Math.floor(samples.length / 4));
  const third = Math.max(1, Math.floor(warm.length / 3));
  return median(warm.slice(-third)) / Math.max(1, median(warm.slice(0, third)));
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The children of this process, by a word of their command line. */
export function findChildren(words: Readonly<Record<string, string>>): Map<string, number> {
  const children = processTree().get(process.pid) ?? [];
  const found = new Map<string, number>();
  for (const [name, word] of Object.entries(words)) {
    const pid = children.find((child) => readText(`/proc/${child}/cmdline`).includes(word));
    if (pid !== undefined) found.set(name, pid);
  }
  return found;
}

type Tree = ReadonlyMap<number, readonly number[]>;

function processTree(): Tree {
  const tree = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = readText(`/proc/${entry}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    tree.set(parent, [...(tree.get(parent) ?? []), Number(entry)]);
  }
  return tree;
}

/** Counts shared memory proportionally, so that the processes of Postgres add up. */
function memoryOf(pid: number, tree: Tree): number {
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024;
  return (tree.get(pid) ?? []).reduce((sum, child) => sum + memoryOf(child, tree), own);
}

/** Empty when the process ended during the read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
