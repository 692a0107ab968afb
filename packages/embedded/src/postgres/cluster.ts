import { execFile } from 'node:child_process';
import { createHash, timingSafeEqual } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderFault } from '../data-folder.ts';
import { diskFull, startFailed } from '../embedded-fault.ts';
import { type Binaries, searchIn } from './binaries.ts';
import type { Identity } from './identity.ts';

export interface ClusterOptions {
  readonly home: string;
  readonly binaries: Binaries;
  readonly identity: Identity | undefined;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly fast: boolean;
}

const PARTIAL = 'data.partial-';

/** The data folder of the cluster. Creates it if needed, and deletes an incomplete one from a killed start. */
export async function openCluster(options: ClusterOptions): Promise<string> {
  const data = join(options.home, 'data');
  for (const name of readdirSync(options.home)) {
    if (name.startsWith(PARTIAL)) rmSync(join(options.home, name), { recursive: true, force: true });
  }
  if (existsSync(data)) {
    if (!sameCredentials(options)) await applyCredentials(options, data);
    return data;
  }
  const partial = mkdtempSync(join(options.home, PARTIAL));
  try {
    await initialise(options, partial);
    await applyCredentials(options, partial);
    renameSync(partial, data);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw folderFault(options.home, error) ?? error;
  }
  return data;
}

/** The first role has no password and cannot log in. The role of the options is created next to it. */
async function initialise(options: ClusterOptions, folder: string): Promise<void> {
  const { identity } = options;
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
  await run(options, [
    options.binaries.initdb,
    `--pgdata=${folder}`,
    '--username=postgres',
    '--auth=reject',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    '--data-checksums',
    ...(options.fast ? ['--no-sync'] : []),
  ]);
  writeFileSync(join(folder, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
}

/** Sets role, password and database as in the options, without a listening server. */
async function applyCredentials(options: ClusterOptions, folder: string): Promise<void> {
  const user = `"${options.user.replaceAll('"', '""')}"`;
  const database = `"${options.database.replaceAll('"', '""')}"`;
  const password = `'${options.password.replaceAll("'", "''")}'`;
  const statements = [
    `CREATE ROLE ${user} SUPERUSER LOGIN`,
    `ALTER ROLE ${user} SUPERUSER LOGIN PASSWORD ${password}`,
    `CREATE DATABASE ${database} OWNER ${user}`,
  ];
  const arguments_ = [
    '--single',
    '-j',
    '-D',
    folder,
    '-c',
    'exit_on_error=off',
    '-c',
    'standard_conforming_strings=on',
  ];
  const output = await run(
    options,
    [options.binaries.postgres, ...arguments_, 'postgres'],
    `${statements.join(';\n\n')};\n\n`,
  );
  const faults = output
    .split('\n')
    .filter((line) => /\b(ERROR|FATAL|PANIC): /.test(line) && !/already exists/.test(line));
  if (faults.length > 0) throw startFailed('PostgreSQL', faults.join('; '));
  writeFileSync(credentialsFile(options), credentialsDigest(options), { mode: 0o600 });
  chmodSync(credentialsFile(options), 0o600);
}

function sameCredentials(options: ClusterOptions): boolean {
  try {
    return timingSafeEqual(readFileSync(credentialsFile(options)), credentialsDigest(options));
  } catch {
    return false;
  }
}

const credentialsFile = (options: ClusterOptions): string => join(options.home, 'credentials.sha256');

function credentialsDigest({ user, password, database }: ClusterOptions): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([user, password, database]))
    .digest();
}

async function run(
  options: ClusterOptions,
  [file, ...args]: readonly [string, ...string[]],
  input = '',
): Promise<string> {
  const done = promisify(execFile)(file, args, {
    cwd: options.home,
    env: { ...searchIn(options.binaries.libraryPath), LANG: 'C', LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    ...options.identity,
  });
  done.child.stdin?.on('error', () => undefined).end(input);
  try {
    const { stdout, stderr } = await done;
    return stdout + stderr;
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    if (/No space left on device|Disk quota exceeded/i.test(output)) throw diskFull(options.home);
    throw startFailed('PostgreSQL', lastLine(output));
  }
}

function lastLine(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return (
    lines.findLast((line) => /error|fatal|panic/i.test(line)) ??
    lines.findLast((line) => line !== '') ??
    'no output'
  );
}
