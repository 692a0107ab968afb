import { tableLines } from './command.ts';
import type { CommandUse } from './commands.ts';

const optionTexts: Readonly<Record<string, string>> = {
  auth: '--auth URL: where administrators sign in',
  code: '--code CODE: of the second factor',
  comment: '--comment TEXT: what the key is for',
  'compatible-only': '--compatible-only: refuse a version that breaks senders of the newest one',
  count: '--count N: end after so many',
  'dry-run': '--dry-run: tell the difference, change nothing',
  email: '--email ADDRESS: who signs in',
  expires: '--expires TIME: RFC 3339',
  format: '--format JSON, JSONEachRow, CSV, Parquet or Arrow',
  from: '--from N: the older version; of analyses --from TIME: since when (7d)',
  kind: '--kind public or administrative; of quarantined events rejected or dead',
  language: '--language ts or cs',
  overlap: '--overlap SECONDS: how long the old key stays good (3600)',
  param: '--param NAME=VALUE: what {NAME:Type} stands for; may be repeated',
  per: '--per hour, day, week or month',
  periods: '--periods N: so many days or weeks',
  project: '--project ID: the project that is meant',
  reason: '--reason REASON: what was at fault',
  scope: '--scope RESOURCE:read or :write; may be repeated',
  since: '--since TIME: RFC 3339, or how long ago: 90s, 10m, 2h, 7d',
  step: "--step 'TYPE member=value': in their order; may be repeated",
  'test-mode': '--test-mode: sign-in without credentials, for development',
  to: '--to N: the newer version; of analyses --to TIME: until when (now)',
  type: '--type NAME: events of this type only',
  where: '--where member=value: also with !=, <, <=, >, >=; may be repeated',
  window: '--window DURATION: how long a player may take (1d)',
};

const ending = `
  --project ID   the project that is meant, when there are several
  --data DIR     the data folder of \`npm start\` (default: .tickrate in this folder)
  --url URL      the management API (default: TICKRATE_URL, else of the session or the data folder)
  --json         print JSON
  --help         show this; behind a command, what it takes

The key is TICKRATE_KEY, else the session of \`sign-in\`, else that of the data folder. status, migrate, doctor and event-types
declare and list work on the databases: those of --data DIR, else POSTGRES_URL, QUEUE_URL and CLICKHOUSE_URL, else of .tickrate.
Exit codes: 0 done, 1 refused, 64 wrong use, 69 a server or a database is away, 70 a fault of this program.
`;

export function helpText(uses: readonly CommandUse[]): string {
  const lines = tableLines(uses.map((use) => [`  ${useOf(use)}`, use.summary]));
  return `npm run tickrate -- <command> [options]\n\n${lines.join('\n')}\n${ending}`;
}

export function helpOf(use: CommandUse): string {
  const options = use.options.map((name) => `  ${optionTexts[name] ?? `--${name}`}\n`);
  return `npm run tickrate -- ${useOf(use)} [options]\n\n${use.summary}\n\n${options.join('')}  --json: print JSON\n`;
}

function useOf({ words, operands }: CommandUse): string {
  return operands === '' ? words : `${words} ${operands}`;
}
