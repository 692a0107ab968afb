import { CommandFault, type CommandResult, commandCodes, tableLines } from '../command.ts';
import type { CommandArguments } from '../command-arguments.ts';
import { type CommandPlace, findPlace } from '../command-place.ts';
import type { StandaloneValues } from '../config.ts';
import { defaultBasePort } from '../port-plan.ts';
import { findApi } from '../remote/find-api.ts';
import { readStandaloneFile } from '../standalone-file.ts';
import { checkAddresses, checkSmtp } from './check-addresses.ts';
import { checkMachine } from './check-machine.ts';
import { checkPorts } from './check-ports.ts';
import { checkClickHouse, checkPostgres, checkQueue } from './check-stores.ts';
import { bad, type Finding, reasonOf } from './finding.ts';

export interface DoctorDeps {
  readonly values: StandaloneValues;
  readonly now: () => number;
}

/** Looks at everything that has to be there, and says what to do about what is not. Changes nothing. */
export async function runDoctor(
  given: CommandArguments,
  { values, now }: DoctorDeps,
): Promise<CommandResult> {
  const api = findApi(given, values, now());
  const [stores, ports, addresses, mail] = await Promise.all([
    checkStores(given, { values, now }),
    values.postgresUrl === null ? checkPorts(api.gateway, basePortOf(given.folder)) : [],
    checkAddresses(api, now),
    checkSmtp(values.smtpUrl),
  ]);
  const findings = [...checkMachine(given.folder, process.versions), ...stores, ...ports, ...addresses, mail];
  const isWell = findings.every(({ state }) => state !== 'bad');
  return {
    code: isWell ? commandCodes.done : commandCodes.refused,
    json: { well: isWell, findings },
    lines: [
      ...linesOf(findings),
      isWell ? 'All that is needed is there.' : 'Something is missing: see the lines with ✗.',
    ],
  };
}

/** Of the data folder's installation, or what it will have. */
function basePortOf(folder: string): number {
  const gateway = readStandaloneFile(folder)?.gateway ?? '';
  return URL.canParse(gateway) ? Number(new URL(gateway).port) : defaultBasePort;
}

async function checkStores(given: CommandArguments, { values, now }: DoctorDeps): Promise<Finding[]> {
  const place = placeOf(given, values);
  if ('check' in place) return [place];
  const found = await Promise.all([
    checkPostgres(place.postgresUrl, now),
    checkQueue(place, values, now),
    checkClickHouse(place.clickhouseUrl, values, now),
  ]);
  return found.flat();
}

function placeOf(given: CommandArguments, values: StandaloneValues): CommandPlace | Finding {
  try {
    return findPlace(given.folder, values);
  } catch (error) {
    if (!(error instanceof CommandFault)) throw error;
    return bad('Databases', reasonOf(error), 'Run `npm start`, or set POSTGRES_URL and CLICKHOUSE_URL');
  }
}

const signs = { good: '✓', warning: '!', bad: '✗' } as const;

function linesOf(findings: readonly Finding[]): string[] {
  const lines = tableLines(findings.map(({ check, state, found }) => [` ${signs[state]}`, check, found]));
  return findings.flatMap(({ advice }, at) => [
    lines[at] ?? '',
    ...(advice === null ? [] : [`      → ${advice}`]),
  ]);
}
