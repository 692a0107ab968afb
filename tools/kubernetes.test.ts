import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hasProgram } from '@tickrate/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readAppConfigs } from './app-configs.ts';

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly optional?: boolean };
    readonly configMapKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
  };
}

interface Container {
  readonly args: readonly string[];
  readonly env: readonly Variable[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
}

interface IngressPath {
  readonly path: string;
  readonly pathType: 'Exact' | 'Prefix';
  readonly backend: { readonly service: { readonly name: string } };
}

interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly [Container] } };
    readonly rules: readonly [{ readonly http: { readonly paths: readonly IngressPath[] } }];
    readonly triggers: readonly { readonly metadata: { readonly query: string } }[];
  };
}

const root = join(import.meta.dirname, '..');
const overlays = globSync('deploy/kubernetes/overlays/*', { cwd: root }).toSorted();
const configs = await readAppConfigs();
const canRender = kustomizeVersion() >= 5;
const canValidate = hasProgram('kubernetes-validate');
if (!canRender) process.stderr.write('SKIPPED: Kubernetes (no kubectl with Kustomize 5 on the PATH)\n');
else if (!canValidate)
  process.stderr.write('SKIPPED: schemas of Kubernetes (no kubernetes-validate on the PATH)\n');

describe.each(overlays)('%s', (overlay) => {
  const text = canRender
    ? execFileSync('kubectl', ['kustomize', join(root, overlay)], { encoding: 'utf8' })
    : '';
  const objects = parseAllDocuments(text).map((document): KubernetesObject => document.toJS());
  const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
  const containers = [...ofKind('Deployment'), ...ofKind('Job')].map(
    ({ spec }) => spec.template.spec.containers[0],
  );

  // Schemas of KEDA and the Prometheus Operator are unknown to the program, which passes their objects.
  test.runIf(canValidate && canRender)('renders objects that their schemas allow', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'tickrate-kubernetes-')), 'objects.yaml');
    onTestFinished(() => rmSync(dirname(file), { recursive: true }));
    writeFileSync(file, text);
    const run = spawnSync('kubernetes-validate', ['--strict', '--quiet', file], { encoding: 'utf8' });
    expect({ output: run.stdout + run.stderr, status: run.status }).toMatchObject({ status: 0 });
  });

  test.runIf(canRender)('runs every script that docker-compose.yml runs', () => {
    const compose: { services: Record<string, { build?: string; command: string[] }> } = parse(
      readFileSync(join(root, 'docker-compose.yml'), 'utf8'),
      { merge: true },
    );
    const commands = Object.values(compose.services).flatMap(({ build, command }) =>
      build === undefined ? [] : [command],
    );
    expect(containers.map(({ args }) => args).toSorted()).toEqual(commands.toSorted());
  });

  test.runIf(canRender)('gives each process settings that it reads and accepts', () => {
    for (const container of containers) {
      const app = scriptOf(container).split('/')[1];
      const config = configs.find((each) => each.app === app);
      const settings = settingsOf(container, ofKind('ConfigMap'));
      expect(Object.keys(settings).filter((name) => !config?.variables.includes(name))).toEqual([]);
      const values = config?.parse(settings);
      const metrics = app === 'worker' || app === 'demo' ? { host: '0.0.0.0', port: 9080 } : {};
      const both = { host: '0.0.0.0', port: 8080, metricsHost: '0.0.0.0', metricsPort: 9080 };
      expect(values).toMatchObject(app === 'cli' || 'port' in metrics ? metrics : both);
    }
  });

  test.runIf(canRender)('takes everything secret from a secret that it does not contain', () => {
    expect(ofKind('Secret')).toEqual([]);
    const literal = containers.flatMap(({ env }) =>
      env.filter(
        ({ name, value }) =>
          /SECRET|PASSWORD|_KEY$|^(?:POSTGRES|QUEUE|CLICKHOUSE|SMTP)_URL$/.test(name) && value,
      ),
    );
    expect(literal).toEqual([]);
    const settings = ofKind('ConfigMap').flatMap(({ data = {} }) => Object.keys(data));
    expect(settings.filter((name) => /SECRET|PASSWORD|_KEY$/.test(name))).toEqual([]);
  });

  test.runIf(canRender)('sends each path to the process that the Caddyfile names', () => {
    const paths = ofKind('Ingress')[0]?.spec.rules[0].http.paths ?? [];
    const caddyfile = readFileSync(join(root, 'deploy/caddy/Caddyfile'), 'utf8');
    const patternsOf = (name: string) => caddyfile.match(`@${name} path (.*)`)?.[1]?.split(' ') ?? [];
    for (const [service, name] of [
      ['gateway', 'events'],
      ['auth', 'sessions'],
    ] as const) {
      expect(patternsOf(name)).not.toEqual([]);
      for (const pattern of patternsOf(name))
        expect([pattern, route(paths, pattern)]).toEqual([pattern, service]);
    }
    const others = ['/', '/v1/events', '/v1/session/x', '/v1/accounts', '/2018-03-24x', '/.well-known/other'];
    for (const path of others) expect([path, route(paths, path)]).toEqual([path, 'console']);
  });

  test.runIf(canRender)('scales workers by metrics that docs/metrics.md describes', () => {
    const page = readFileSync(join(root, 'docs/metrics.md'), 'utf8');
    const queries = ofKind('ScaledObject').flatMap(({ spec }) =>
      spec.triggers.map(({ metadata }) => metadata.query),
    );
    const names = queries.flatMap((query) => query.match(/tickrate_\w+/g) ?? []);
    expect(names).not.toEqual([]);
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

test('every script of the base exists', () => {
  const texts = globSync('deploy/kubernetes/base/*.yaml', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  const scripts = texts.flatMap((text) => text.match(/apps\/\S+\.ts/g) ?? []);
  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/** The major version in kubectl; 0 without kubectl, or with one from before it reports it. */
function kustomizeVersion(): number {
  const { stdout } = spawnSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8' });
  return Number(stdout?.match(/"kustomizeVersion": "v(\d+)/)?.[1] ?? 0);
}

/** After the options of Node. */
function scriptOf({ args }: Container): string {
  return args.find((word) => !word.startsWith('--')) ?? '';
}

/** As the process sees them, with a value for each key of the secret. */
function settingsOf(container: Container, configMaps: readonly KubernetesObject[]): Record<string, string> {
  const dataOf = (name: string) => configMaps.find(({ metadata }) => metadata.name === name)?.data ?? {};
  const settings: Record<string, string> = {};
  for (const { configMapRef } of container.envFrom ?? []) Object.assign(settings, dataOf(configMapRef.name));
  for (const { name, value, valueFrom } of container.env) {
    const { secretKeyRef, configMapKeyRef } = valueFrom ?? {};
    const secret = secretKeyRef && (name.endsWith('_URL') ? secretUrlOf(name) : 'x'.repeat(40));
    const found = value ?? secret ?? (configMapKeyRef && dataOf(configMapKeyRef.name)[configMapKeyRef.key]);
    if (found === undefined) expect([name, configMapKeyRef?.optional]).toEqual([name, true]);
    else settings[name] = found;
  }
  return settings;
}

function secretUrlOf(name: string): string {
  if (name === 'QUEUE_URL') return 'redis://queue:6379';
  return name === 'POSTGRES_URL'
    ? 'postgres://db/tickrate'
    : `${name === 'SMTP_URL' ? 'smtp' : 'http'}://host`;
}

/** The longest path wins; a prefix ends at a slash. */
function route(paths: readonly IngressPath[], path: string): string | undefined {
  const matching = paths.filter(({ path: of, pathType }) => {
    return of === path || (pathType === 'Prefix' && path.startsWith(of.replace(/\/?$/, '/')));
  });
  return matching.toSorted((a, b) => b.path.length - a.path.length)[0]?.backend.service.name;
}
