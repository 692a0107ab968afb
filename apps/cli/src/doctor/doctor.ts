import { defaultBasePort, readInstallationFile } from '@tickrate/platform';
import { CommandFault, type CommandResult, commandCodes, tableLines } from '../command-line/command.ts';
import { type CommandContext, defineCommand } from '../command-line/define-command.ts';
import type { CliValues } from '../config.ts';
import { findStores, type Stores } from '../stores/find-stores.ts';
import { checkAddresses, checkSmtp } from './check-addresses.ts';
import { checkIssuer } from './check-issuer.ts';
import { checkMachine } from './check-machine.ts';
import { checkPorts } from './check-ports.ts';
import { checkSettings } from './check-settings.ts';
import { checkClickHouse, checkPostgres, checkQueue, checkWorkers } from './check-stores.ts';
import { checkStoreTls } from './check-tls.ts';
import { bad, type Finding, reasonOf } from './finding.ts';

export const doctorCommand = defineCommand({
  words: 'doctor',
  summary: 'check every dependency and setting, and say what to do',
  run: examine,
});

type Examined = Pick<CommandContext, 'folder' | 'values' | 'place' | 'now'>;

/** Checks all requirements. Changes nothing. */
export async function examine({ folder, values, place, now }: Examined): Promise<CommandResult> {
  const [stores, ports, addresses, mail, issuer] = await Promise.all([
    checkStores(folder, values, now),
    values.postgresUrl === null ? checkPorts(place.gateway, basePortOf(folder)) : [],
    checkAddresses(place, now),
    checkSmtp(values.smtpUrl),
    checkIssuer(values.adminOidcIssuer, now),
  ]);
  const findings = [
    ...checkMachine(values.postgresUrl === null ? folder : null, process.versions, values.diskReserveBytes),
    ...checkSettings(),
    ...stores,
    ...ports,
    ...addresses,
    mail,
    ...issuer,
  ];
  const isWell = findings.every(({ state }) => state !== 'bad');
  return {
    code: isWell ? commandCodes.done : commandCodes.refused,
    json: { well: isWell, findings },
    lines: [
      ...linesOf(findings),
      isWell ? 'Everything required is there.' : 'Something is missing: see the lines with ✗.',
    ],
  };
}

/** Of the installation in the data folder, or of the future one. */
function basePortOf(folder: string): number {
  const gateway = readInstallationFile(folder)?.gateway ?? '';
  return URL.canParse(gateway) ? Number(new URL(gateway).port) : defaultBasePort;
}

async function checkStores(folder: string, values: CliValues, now: () => number): Promise<Finding[]> {
  const stores = storesOrFinding(folder, values);
  if ('check' in stores) return [stores];
  const found = await Promise.all([
    checkPostgres(stores.postgresUrl, now),
    checkQueue(stores, values, now),
    checkClickHouse(stores, values, now),
    checkWorkers(stores.postgresUrl, now),
  ]);
  return [...found.flat(), checkStoreTls(stores)];
}

function storesOrFinding(folder: string, values: CliValues): Stores | Finding {
  try {
    return findStores(folder, values);
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
