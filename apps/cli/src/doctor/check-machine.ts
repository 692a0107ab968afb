import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { installationFilePath } from '@tickrate/platform';
import { bad, type Finding, good, reasonOf, warning } from './finding.ts';

const gibibyte = 1024 ** 3;
const fewGibibytes = 2;
const leastGibibytes = 0.5;

/** Checks Node, the platform, and the free space and secrets of the data folder. Null: the databases are elsewhere. */
export function checkMachine(
  folder: string | null,
  versions: { readonly node: string },
  diskReserveBytes: number,
): Finding[] {
  const found = [checkNode(versions.node), checkPlatform()];
  return folder === null ? found : [...found, ...checkFolder(folder, diskReserveBytes)];
}

const oldestNode = [24, 12] as const;

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  return isNewEnough
    ? good('Node', version)
    : bad(
        'Node',
        version,
        `Install Node ${oldestNode.join('.')} or newer, or run \`npm ci\`, which brings one along`,
      );
}

function checkPlatform(): Finding {
  const platform = `${process.platform}-${process.arch}`;
  return /^(?:linux|darwin)-(?:x64|arm64)$/.test(platform)
    ? good('Platform', platform)
    : warning(
        'Platform',
        platform,
        '`npm start` requires Linux or macOS on x64 or arm64; use WSL 2 or `docker compose up` on other systems',
      );
}

function checkFolder(folder: string, diskReserveBytes: number): Finding[] {
  const present = existsSync(folder) ? folder : dirname(folder);
  try {
    accessSync(present, constants.W_OK);
  } catch (error) {
    return [
      bad('Data folder', reasonOf(error), `Give this user write access to ${present}, or choose --data DIR`),
    ];
  }
  const isMade = present === folder;
  return [
    good('Data folder', isMade ? folder : `${folder} (not made yet)`),
    checkDisk(present, diskReserveBytes),
    ...(isMade ? [checkSecrets(installationFilePath(folder))] : []),
  ];
}

/** Below the reserve the gateway rejects events. */
function checkDisk(folder: string, reserveBytes: number): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = (bavail * bsize) / gibibyte;
  const found = `${free.toFixed(1)} GiB free`;
  const advice = `Free some space on the disk of ${folder}`;
  if (free * gibibyte < reserveBytes) {
    return bad('Disk', `${found}, less than DISK_RESERVE: gateways reject events`, advice);
  }
  if (free < leastGibibytes) return bad('Disk', found, advice);
  return free < fewGibibytes ? warning('Disk', found, advice) : good('Disk', found);
}

const othersMay = 0o077;

function checkSecrets(path: string): Finding {
  if (!existsSync(path)) return warning('Secrets', `no ${path}`, 'Run `npm start`, which writes it');
  const mode = statSync(path).mode & 0o777;
  return (mode & othersMay) === 0
    ? good('Secrets', `${path} is for its owner only`)
    : bad('Secrets', `${path} can be read by others (${mode.toString(8)})`, `chmod 600 ${path}`);
}
