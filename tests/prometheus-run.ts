import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@tickrate/testkit';
import { parse, stringify } from 'yaml';

const deploy = join(import.meta.dirname, '..', 'deploy', 'prometheus');

export interface PrometheusRun {
  /** The `data` of an answer of its API. */
  get<T>(path: string, query?: Readonly<Record<string, string>>): Promise<T>;
  stop(): Promise<void>;
}

/** Runs the files of `deploy/`, but reads the metrics ports of these processes, every second. */
export async function startPrometheus(
  ports: Readonly<Record<string, number>>,
  edit: (rules: string) => string = (rules) => rules,
): Promise<PrometheusRun> {
  const folder = mkdtempSync(join(tmpdir(), 'tickrate-prometheus-'));
  const config = parse(readFileSync(join(deploy, 'prometheus.yml'), 'utf8'));
  for (const name of config.rule_files) {
    const rules = readFileSync(join(deploy, name), 'utf8').replaceAll(/interval: \w+/g, 'interval: 1s');
    writeFileSync(join(folder, name), edit(rules));
  }
  const targets = Object.entries(ports).map(([process, port]) => ({
    targets: [`127.0.0.1:${port}`],
    labels: { process },
  }));
  const job = { job_name: config.scrape_configs[0].job_name, static_configs: targets };
  const global = { scrape_interval: '1s', evaluation_interval: '1s' };
  const path = join(folder, 'prometheus.yml');
  writeFileSync(path, stringify({ global, rule_files: config.rule_files, scrape_configs: [job] }));
  const address = `127.0.0.1:${await findFreePort()}`;
  const prometheus = spawn(
    'prometheus',
    [`--config.file=${path}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`],
    { stdio: 'ignore' },
  );
  const ended = once(prometheus, 'exit');
  return {
    async get<T>(call: string, query = {}) {
      const url = `http://${address}/api/v1/${call}?${new URLSearchParams(query)}`;
      const answer = await fetch(url, { headers: { Connection: 'close' } });
      if (!answer.ok) throw new Error(await answer.text());
      return ((await answer.json()) as { data: T }).data;
    },
    async stop() {
      prometheus.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
