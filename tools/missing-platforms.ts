export interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** The optional packages that a lock file names and does not lock, as entries for it. */
export function missingPlatforms(
  packages: Readonly<Record<string, LockedPackage>>,
): Readonly<Record<string, LockedPackage>> {
  const missing: Record<string, LockedPackage> = {};
  for (const [path, locked] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(locked.optionalDependencies ?? {})) {
      if (`${path}/node_modules/${name}` in packages || `node_modules/${name}` in packages) continue;
      missing[`node_modules/${name}`] = entryOf({ name, version, dev: locked.dev === true });
    }
  }
  return missing;
}

/**
 * Packages of one platform carry it in their name: `@biomejs/cli-linux-arm64-musl`, `@turbo/windows-64`. WebAssembly has
 * no operating system.
 */
function entryOf({ name, version, dev }: { name: string; version: string; dev: boolean }): LockedPackage {
  const words = name.replace('windows', 'win32').replace(/-64$/, '-x64').split(/[-/]/);
  const system = systems.find((each) => words.includes(each));
  const processor = processors.find((each) => words.includes(each));
  const libc = (words.includes('musl') && 'musl') || (words.includes('gnu') && 'glibc');
  const isPlatform = processor !== undefined && (system !== undefined || processor === 'wasm32');
  if (!isPlatform) throw new Error(`${name} does not name its platform`);
  return {
    version,
    cpu: [processor],
    ...(dev && { dev }),
    ...(libc && { libc: [libc] }),
    optional: true,
    ...(system && { os: [system] }),
  };
}
