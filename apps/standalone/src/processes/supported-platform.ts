import { supportedPlatforms } from '@tickrate/embedded';
import { StartFault } from '../start-fault.ts';

/** Throws on platforms without the databases from npm. */
export function requireSupportedPlatform(platform: string, architecture: string): void {
  const name = `${platform}-${architecture}`;
  if (supportedPlatforms.includes(name)) return;
  throw new StartFault(
    `The databases that come with npm run on Linux and macOS (x64, arm64), not on ${name}`,
    'Use `docker compose up` instead, or on Windows WSL 2: see docs/standalone.md',
  );
}
