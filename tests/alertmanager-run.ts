import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { findFreePort } from '@tickrate/testkit';
import { parse, stringify } from 'yaml';

interface Message {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface AlertmanagerRun {
  readonly port: number;
  /** What the notifier of the receiver `immediately` got. */
  readonly received: readonly Message[];
  stop(): Promise<void>;
}

/** Runs the file of `deploy/`, with a notifier and without waiting for further alarms. */
export async function startAlertmanager(): Promise<AlertmanagerRun> {
  const received: Message[] = [];
  const notifier = createServer(async (request, response) => {
    const { alerts } = (await json(request)) as { alerts: Message[] };
    received.push(...alerts);
    response.setHeader('Connection', 'close').end();
  });
  notifier.listen(0, '127.0.0.1');
  await once(notifier, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'tickrate-alertmanager-'));
  const config = parse(
    readFileSync(join(import.meta.dirname, '../deploy/alertmanager/alertmanager.yml'), 'utf8'),
  );
  config.route = { ...config.route, group_wait: '0s', group_interval: '1s' };
  const url = `http://127.0.0.1:${(notifier.address() as AddressInfo).port}`;
  for (const receiver of config.receivers)
    if (receiver.name === 'immediately') receiver.webhook_configs = [{ url }];
  const path = join(folder, 'alertmanager.yml');
  writeFileSync(path, stringify(config));
  const port = await findFreePort();
  const alertmanager = spawn(
    'prometheus-alertmanager',
    [
      `--config.file=${path}`,
      `--storage.path=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ],
    { stdio: 'ignore' },
  );
  const ended = once(alertmanager, 'exit');
  return {
    port,
    received,
    async stop() {
      alertmanager.kill('SIGKILL');
      notifier.close();
      await Promise.all([ended, once(notifier, 'close')]);
      rmSync(folder, { recursive: true });
    },
  };
}
