import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KillableServer } from '@tickrate/testkit';
import { findFreePort } from '@tickrate/testkit';
import { bareEnvironment } from '../standalone-run.ts';

const caddyfile = join(import.meta.dirname, '..', '..', 'deploy', 'caddy', 'Caddyfile');

/** By the name in the Caddyfile: `GATEWAY` has the ports of the gateways. */
export type Upstreams = Readonly<Record<'GATEWAY' | 'AUTH' | 'CONSOLE', readonly number[]>>;

export interface Caddy extends KillableServer {
  readonly port: number;
}

/** The proxy of `deploy/`, in plain HTTP, before processes that have no names: they share an address. */
export async function startCaddy(folder: string, upstreams: Upstreams): Promise<Caddy> {
  const port = await findFreePort();
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, pointedAt(upstreams));
  const log = openSync(join(folder, 'caddy.log'), 'a');
  const env = { ...bareEnvironment(), HOME: folder, SITE_ADDRESS: `http://127.0.0.1:${port}` };
  const launch = (): ChildProcess =>
    spawn('caddy', ['run', '--config', file], { env, stdio: ['ignore', log, log] });
  let child = launch();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    kill,
    freeze: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async restart() {
      await kill();
      child = launch();
    },
    stop: kill,
  };
}

function pointedAt(upstreams: Upstreams): string {
  let text = readFileSync(caddyfile, 'utf8').replace('{\n', '{\n\tadmin off\n\tdefault_bind 127.0.0.1\n');
  for (const [name, ports] of Object.entries(upstreams)) {
    const byName = new RegExp(`dynamic a \\{\\$${name}_HOST:\\w+\\} 8080 \\{[^}]*\\}`);
    if (!byName.test(text)) throw new Error(`the Caddyfile has no upstream ${name}_HOST`);
    text = text.replace(byName, `to ${ports.map((each) => `127.0.0.1:${each}`).join(' ')}`);
  }
  return text;
}
