import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts } from './standalone-run.ts';

/** The file that `npm start` writes when it is ready. */
export interface ProductFile {
  readonly gateway: string;
  readonly auth: string;
  readonly console: string;
  readonly clickhouse: string;
  readonly projectId: string;
  readonly keys: { readonly public: string; readonly administrative: string };
}

/** The whole product, run as a user runs it, in a temporary folder. */
export interface RunningProduct extends ProductFile {
  readonly folder: string;
  /** The current process of one app; null while there is none. */
  pidOf(app: string): number | null;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..');
const startMain = join(root, 'apps', 'standalone', 'src', 'main.ts');

/** Resolves when it is ready. Rejects with its output when it ends before. */
export async function startProduct(): Promise<RunningProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'tickrate-product-'));
  const port = await findFreePorts();
  const child = spawn(process.execPath, [startMain, '--data', join(folder, 'data'), '--port', String(port)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const file = await ready(child, join(folder, 'data', 'standalone.json'));
  return {
    ...file,
    folder: join(folder, 'data'),
    pidOf: (app) => childRunning(child.pid ?? 0, join('apps', app, 'src', 'main.ts')),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ready(child: ChildProcess, path: string): Promise<ProductFile> {
  let printed = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const hear = (text: Buffer) => {
    printed += text.toString();
    // The last line of the output says how to stop it.
    if (/Ctrl-C/.test(printed)) resolve();
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  child.once('exit', (code) => reject(new Error(`ended with ${code} before it was ready:\n${printed}`)));
  await promise;
  return JSON.parse(readFileSync(path, 'utf8')) as ProductFile;
}

function childRunning(parent: number, script: string): number | null {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8');
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[1]) === parent && fields[0] !== 'Z' && command.includes(script)) return Number(entry);
    } catch {
      // The process ended during the read.
    }
  }
  return null;
}
