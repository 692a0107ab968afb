import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A driver of BI tools, and the command that reads with it. The arguments are URL, user, password and database. */
export interface Driver {
  readonly name: string;
  readonly command: readonly string[];
}

const here = import.meta.dirname;
/** Nothing is downloaded. */
const go = ['env', 'GOPROXY=off', 'GOTOOLCHAIN=local', 'GOFLAGS=-mod=readonly', 'go', '-C', here];
const jars = ['com/clickhouse/clickhouse-jdbc/*/*-all.jar', 'org/slf4j/slf4j-api/2.*/*.jar'].map(
  (place) => globSync(join(homedir(), '.m2/repository', place))[0],
);

const drivers = [
  {
    name: 'clickhouse-connect',
    probe: ['python3', '-c', 'import clickhouse_connect'],
    command: ['python3', join(here, 'read.py')],
  },
  { name: 'clickhouse-go', probe: [...go, 'list', '-deps', '.'], command: [...go, 'run', '.'] },
  {
    name: 'the JDBC driver',
    probe: jars.includes(undefined) ? ['false'] : ['javac', '--version'],
    command: ['java', '-cp', jars.join(':'), join(here, 'Read.java')],
  },
];

/** Those of this machine. Names the others on the standard error. */
export async function findDrivers(): Promise<Driver[]> {
  const found: Driver[] = [];
  const missing: string[] = [];
  for (const { name, probe, command } of drivers) {
    const isFound = await run(probe).then(
      () => true,
      () => false,
    );
    if (isFound) found.push({ name, command });
    else missing.push(name);
  }
  if (missing.length > 0)
    process.stderr.write(`SKIPPED: tests of BI tools with ${missing.join(', ')} (not on this machine)\n`);
  return found;
}

/** The standard output. Rejects if the program fails or does not exist. */
export async function run([program = '', ...args]: readonly string[]): Promise<string> {
  return (await promisify(execFile)(program, args)).stdout;
}
