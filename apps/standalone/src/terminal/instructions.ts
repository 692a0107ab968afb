import { dirname } from 'node:path';
import type { SignInLink } from '@tickrate/accounts';
import type { InstallationFile } from '@tickrate/platform';
import type { Paint } from './paint.ts';

export interface InstructionParts {
  readonly file: InstallationFile;
  readonly filePath: string;
  /** It signs in once, within ten minutes. Null when none could be made. */
  readonly link: Pick<SignInLink, 'url' | 'emailAddress'> | null;
  readonly tookMs: number;
  readonly paint: Paint;
}

const sampleType = 'level_up';
const sampleEvent = { level: 12, score: 4200, character: 'ranger' };

/** What a person needs to know next: where everything is, how to send and query an event, how to stop. */
export function instructionsText({ file, filePath, link, tookMs, paint }: InstructionParts): string {
  const addresses = [
    ['Gateway', file.gateway, 'events in'],
    ['Auth', file.auth, 'sign-in of players and administrators'],
    ['Console', file.console, 'the web console; the management API is at /docs'],
    ['ClickHouse', withoutCredentials(file.clickhouse), 'every event'],
    ['PostgreSQL', withoutCredentials(file.postgres), 'projects, keys, queue, ledger'],
  ] as const;
  return [
    '',
    paint.strong(`Tickrate runs (${(tookMs / 1000).toFixed(1)} s).`),
    '',
    ...addresses.map(([name, url, what]) => `  ${name.padEnd(12)}${url.padEnd(38)}${paint.dim(what)}`),
    '',
    ...signInLines(link, filePath),
    '',
    `Passwords and keys are in ${filePath}, which only you can read.`,
    '',
    'Send an event:',
    `  ${insertLine(file)}`,
    '',
    'Query it, within two seconds:',
    `  ${queryLine(filePath)}`,
    '',
    'Ctrl-C stops everything; `npm start` goes on where it ended.',
  ].join('\n');
}

function signInLines(link: InstructionParts['link'], filePath: string): string[] {
  const another = `npm run tickrate -- sign-in-link --data '${dirname(filePath)}'`;
  if (link === null) return ['Sign in to the console with a link:', `  ${another}`];
  return [
    `Open the console as ${link.emailAddress}, once and within ten minutes:`,
    `  ${link.url}`,
    `Another link: ${another}`,
  ];
}

function insertLine({ gateway, keys }: InstallationFile): string {
  const headers = `-H 'X-API-Key: ${keys.public}' -H 'Content-Type: application/json'`;
  const url = `${gateway}/v1/event/insert?eventType=${sampleType}`;
  return `curl -X PUT '${url}' ${headers} -d '${JSON.stringify(sampleEvent)}'`;
}

/** The command reads its key from the data folder: neither a terminal nor a list of processes shows it. */
function queryLine(filePath: string): string {
  const sql = `SELECT level, count() AS amount, avg(score) AS average FROM ${sampleType} GROUP BY level`;
  return `npm run tickrate -- query '${sql}' --data '${dirname(filePath)}'`;
}

function withoutCredentials(url: string): string {
  return Object.assign(new URL(url), { username: '', password: '' }).href.replace(/\/$/, '');
}
