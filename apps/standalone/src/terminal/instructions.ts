import { dirname } from 'node:path';
import type { SignInLink } from '@tickrate/accounts';
import { dataOption, type InstallationFile } from '@tickrate/platform';
import type { Paint } from './terminal.ts';

export interface InstructionParts {
  readonly file: InstallationFile;
  readonly filePath: string;
  /** Signs in once, within ten minutes. Null if it could not be created. */
  readonly link: Pick<SignInLink, 'url' | 'emailAddress'> | null;
  readonly tookMs: number;
  readonly paint: Paint;
}

const sampleType = 'level_up';
const sampleEvent = { level: 12, score: 4200, character: 'ranger' };
const sampleQuery = `SELECT level, count() AS amount FROM ${sampleType} GROUP BY level`;

/**
 * The text after the start: the addresses, and how to sign in, send an event, see and query it, and stop. Lines fit into 80
 * columns, except for long paths. It contains no password and no key that can read.
 */
export function instructionsText({ file, filePath, link, tookMs, paint }: InstructionParts): string {
  const addresses = [
    ['Console', file.console, 'web pages; API at /docs'],
    ['Gateway', file.gateway, 'receives events'],
    ['Auth', file.auth, 'signs players in'],
    ['ClickHouse', withoutCredentials(file.clickhouse), 'stores events'],
    ['PostgreSQL', withoutCredentials(file.postgres), 'stores all other data'],
  ] as const;
  const widest = Math.max(...addresses.map(([, url]) => url.length));
  const seconds = `(${(tookMs / 1000).toFixed(1)} s)`;
  const step = (number: number, title: string) => `${paint.good(String(number))} ${paint.strong(title)}`;
  return [
    '',
    `${paint.good('✓')} ${paint.strong('Tickrate is running')} ${paint.dim(seconds)}`,
    '',
    ...addresses.map(([name, url, what]) => `  ${name.padEnd(11)} ${url.padEnd(widest)}  ${paint.dim(what)}`),
    '',
    step(1, signInTitle(link)),
    `  ${link === null ? commandLine('sign-in-link', filePath) : link.url}`,
    '',
    step(2, 'Send an event:'),
    ...insertLines(file),
    '',
    step(3, 'See it arrive in the console, under Live:'),
    `  ${file.console}/p/${file.projectId}/live`,
    '',
    step(4, 'Query it after two seconds:'),
    `  ${commandLine('query', filePath)} \\`,
    `    '${sampleQuery}'`,
    '',
    ...(link === null ? [] : [`New link:  ${commandLine('sign-in-link', filePath)}`]),
    `Passwords: ${filePath}`,
    'Stop:      Ctrl-C. `npm start` continues with the same data.',
  ].join('\n');
}

function signInTitle(link: InstructionParts['link']): string {
  if (link === null) return 'Create a link that opens the console:';
  return `Open the console as ${link.emailAddress} (once, within ten minutes):`;
}

function insertLines({ gateway, keys }: InstallationFile): string[] {
  return [
    `  curl -X PUT '${gateway}/v1/event/insert?eventType=${sampleType}' \\`,
    `    -H 'X-API-Key: ${keys.public}' \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '${JSON.stringify(sampleEvent)}'`,
  ];
}

/** The command reads its key from the data folder, so that no terminal or list of processes shows it. */
function commandLine(command: string, filePath: string): string {
  const folder = dirname(filePath);
  const isDefault = folder === dataOption(undefined);
  return `npm run tickrate -- ${command}${isDefault ? '' : ` --data '${folder}'`}`;
}

function withoutCredentials(url: string): string {
  return Object.assign(new URL(url), { username: '', password: '' }).href.replace(/\/$/, '');
}
