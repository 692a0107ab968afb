import { StartFault } from '../start-fault.ts';

const supported = new Set(['linux-x64', 'linux-arm64']);

/** Throws on platforms without the databases from npm. */
export function requireSupportedPlatform(platform: string, architecture: string): void {
  const name = `${platform}-${architecture}`;
  if (supported.has(name)) return;
  throw new StartFault(
    `The databases that come with npm run on Linux (x64, arm64), not on ${name}`,
    'Use `docker compose up` instead',
  );
}
