import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readAppConfigs } from './app-configs.ts';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly deploy?: { readonly resources: { readonly limits: Readonly<Record<string, string>> } };
  readonly ports?: readonly string[];
  readonly container_name?: string;
  readonly volumes?: readonly string[];
}

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const compose: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(text, {
  merge: true,
});
const services = Object.entries(compose.services);
const processes = services.filter(([, service]) => service.build !== undefined);
const stores = services.filter(([, service]) => service.build === undefined);
const lasting = services.filter(([, service]) => service.restart !== 'no');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const configs = await readAppConfigs();

test('the image keeps the native parts of packages, which are optional packages of theirs', () => {
  expect(dockerfile).toContain('npm ci --omit=dev');
  expect(dockerfile).not.toContain('--omit=optional');
});

describe('docker-compose.yml', () => {
  test('publishes the ports of the proxy alone, for TLS and for the way to it, and others to loopback', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => ({ name, port })));
    const outside = published.filter(({ port }) => !port.startsWith('127.0.0.1:'));
    expect(outside.map(({ name, port }) => `${name} ${port.replace(/.*}:/, '')}`)).toEqual([
      'proxy 80',
      'proxy 443',
      'proxy 443/udp',
    ]);
  });

  test('runs every app but the one that brings its own databases', () => {
    const apps = globSync('apps/*/src/main.ts', { cwd: root }).toSorted();
    const run = [...new Set(processes.map(([, service]) => scriptOf(service)))];
    expect(run.filter((path) => path.endsWith('/main.ts')).toSorted()).toEqual(
      apps.filter((path) => !path.startsWith('apps/standalone/')),
    );
    expect(run.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test.each(processes)(
    'gives %s each setting that its configuration declares, and no other',
    (name, service) => {
      const app = scriptOf(service).split('/')[1] ?? name;
      const config = configs.find((each) => each.app === app);
      // Settings of the command at the operator's desk.
      const declared = config?.variables.filter((variable) => !variable.startsWith('TICKRATE_')) ?? [];
      expect(Object.keys(service.environment ?? {}).toSorted()).toEqual(declared.toSorted());
      const values = config?.parse(withValues(service));
      if (name === 'worker' || name === 'demo') expect(values).toMatchObject({ host: '0.0.0.0', port: 9080 });
      else if (name !== 'migrate')
        expect(values).toMatchObject({
          host: '0.0.0.0',
          port: 8080,
          metricsHost: '0.0.0.0',
          metricsPort: 9080,
        });
    },
  );

  test.each(lasting)('checks the health of %s, and restarts it', (name, service) => {
    expect(service.restart).toBe('unless-stopped');
    // Their images have no program that could.
    if (name === 'collector' || name === 'tempo') return;
    const tested =
      service.build === undefined ? service.healthcheck?.test : dockerfile.match(/^HEALTHCHECK .*$/m);
    expect(tested).toBeTruthy();
    expect(service.healthcheck?.disable).toBeUndefined();
  });

  test.each(services)(
    'gives %s no root, no new privileges, no writable image and no unbounded memory',
    (name, service) => {
      const user = service.build === undefined ? service.user : dockerfile.match(/^USER (\d+):\d+$/m)?.[1];
      // The proxy's image gives the folder of its certificates to root.
      if (name !== 'proxy') expect(['root', '0', undefined]).not.toContain(user);
      expect(service.security_opt).toContain('no-new-privileges:true');
      expect(service.read_only).toBe(true);
      if (name !== 'clickhouse') expect(service.cap_drop).toEqual(['ALL']);
      if (service.restart !== 'no') expect(service.deploy?.resources.limits['memory']).toMatch(/^\d+[mg]$/);
    },
  );

  test('starts each service after what it needs is healthy, and processes after the migrations', () => {
    for (const [name, service] of processes) {
      const needed = service.depends_on ?? {};
      const urls = Object.values(service.environment ?? {}).join(' ');
      for (const [store] of stores.filter(([each]) => name !== 'migrate' && urls.includes(`@${each}:`))) {
        if (needed[store]) expect(needed[store].condition).toBe('service_healthy');
      }
      if (name !== 'migrate') expect(needed['migrate']?.condition).toBe('service_completed_successfully');
    }
  });

  test('can run more than one worker', () => {
    expect(compose.services['worker']).not.toHaveProperty('ports');
    expect(services.filter(([, service]) => service.container_name !== undefined)).toEqual([]);
  });

  test('keeps what the stores hold in volumes, and mounts only files that exist', () => {
    for (const [name, service] of stores) {
      if (name !== 'collector')
        expect(service.volumes?.some((volume) => volume.startsWith(`${name}:/`))).toBe(true);
      const mounted = (service.volumes ?? []).filter((volume) => volume.startsWith('./'));
      expect(mounted.filter((volume) => !existsSync(join(root, volume.split(':')[0] ?? '')))).toEqual([]);
    }
    expect(Object.keys(compose.volumes).toSorted()).toEqual(
      stores
        .map(([name]) => name)
        .filter((name) => name !== 'collector')
        .toSorted(),
    );
  });

  test('has no password of its own', () => {
    const variables = Array.from(text.matchAll(/\$\{(\w*PASSWORD\w*)([^}]*)\}/g));
    expect(variables.length).toBeGreaterThan(2);
    // Required, or absent when it is not given.
    expect(variables.filter(([whole, , rest]) => !rest?.startsWith(':?') && !whole.endsWith(':-}'))).toEqual(
      [],
    );
    expect(text).not.toMatch(/PASSWORD: (?!\$\{)/);
  });

  test('gives sign-in the mail server of .env, and to it and the console the key of sealed secrets', () => {
    const { auth, console: management } = compose.services;
    expect(auth?.environment).toMatchObject({ SMTP_URL: null, MAIL_FROM: null });
    expect(auth?.environment?.['SECRETS_KEY']).toMatch(/^\$\{SECRETS_KEY:\?/);
    expect(management?.environment?.['SECRETS_KEY']).toBe(auth?.environment?.['SECRETS_KEY']);
    // The simulated game gives each player an address.
    const others = services.filter(([name]) => !['auth', 'console', 'demo'].includes(name));
    expect(others.filter(([, { environment }]) => environment?.['SECRETS_KEY'] !== undefined)).toEqual([]);
  });

  test('uses only variables that .env.example contains', () => {
    const example = readFileSync(join(root, '.env.example'), 'utf8');
    const asked = Array.from(text.matchAll(/(?<!\$)\$\{(\w+)/g), ([, name]) => name);
    expect(asked.filter((name) => !new RegExp(`^(?:# )?${name}=`, 'm').test(example))).toEqual([]);
  });

  test('keeps the queue from evicting and from forgetting', () => {
    const command = compose.services['valkey']?.command?.join(' ');
    expect(command).toContain('--maxmemory-policy noeviction');
    expect(command).toContain('--appendonly yes --appendfsync always');
  });
});

function withValues(service: Service): Record<string, string> {
  const values = Object.entries(service.environment ?? {}).flatMap(([name, value]) =>
    value === null ? [] : [[name, resolved(value)] as const],
  );
  return Object.fromEntries(values);
}

/** Defaults, also within defaults, and a secret for the rest. */
function resolved(value: string): string {
  const once = value.replaceAll(/\$\{\w+:-([^{}]*)\}/g, '$1');
  if (once !== value) return resolved(once);
  return value.replaceAll(/\$\{[^}]*\}/g, 'a-password-of-more-than-thirty-two-characters');
}

/** After the options of Node. */
function scriptOf({ command = [] }: Service): string {
  return command.find((word) => !word.startsWith('--')) ?? '';
}
