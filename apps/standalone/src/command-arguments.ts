import { parseArgs } from 'node:util';
import { CommandFault, commandCodes } from './command.ts';
import { dataOption } from './data-option.ts';

export interface CommandArguments {
  /** What is to be done, then with what: `event-types`, `declare`, FILE. */
  readonly words: readonly string[];
  readonly folder: string;
  /** Whether `--data` names the folder. */
  readonly folderIsNamed: boolean;
  readonly project: string | null;
  readonly compatibleOnly: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly help: boolean;
  readonly url: string | null;
  readonly gateway: string | null;
  readonly auth: string | null;
  readonly kind: string | null;
  readonly comment: string | null;
  readonly scopes: readonly string[];
  readonly expires: string | null;
  readonly overlap: number | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly language: string | null;
  readonly type: string | null;
  readonly reason: string | null;
  readonly count: number | null;
  readonly format: string | null;
  readonly parameters: Readonly<Record<string, string>>;
  readonly email: string | null;
  readonly since: string | null;
  readonly per: string | null;
  readonly window: string | null;
  readonly periods: number | null;
  readonly steps: readonly string[];
  readonly conditions: readonly string[];
  readonly testMode: boolean;
  readonly code: string | null;
}

const texts = [
  ...(['project', 'url', 'gateway', 'auth', 'kind', 'comment', 'expires', 'overlap', 'from', 'to'] as const),
  ...(['language', 'reason', 'type', 'count', 'format', 'email', 'code'] as const),
  ...(['since', 'per', 'window', 'periods'] as const),
];
export const flags = ['compatible-only', 'dry-run', 'json', 'test-mode'] as const;
export const valued = [...texts, 'data', 'scope', 'param', 'step', 'where'] as const;

/** Throws a CommandFault for an option that there is not. */
export function parseCommandArguments(args: readonly string[]): CommandArguments {
  const { values, positionals } = parse(args);
  const folder = dataOption(values.data);
  if (folder === null) throw wrongUse('--data must be followed by a folder');
  const given = Object.fromEntries(texts.map((name) => [name, values[name] ?? null])) as Record<
    (typeof texts)[number],
    string | null
  >;
  return {
    ...given,
    words: positionals,
    folder,
    folderIsNamed: values.data !== undefined,
    scopes: values.scope ?? [],
    parameters: Object.fromEntries((values.param ?? []).map(readParameter)),
    overlap: readCount('overlap', given.overlap),
    count: atLeastOne('count', readCount('count', given.count)),
    periods: readCount('periods', given.periods),
    steps: values.step ?? [],
    conditions: values.where ?? [],
    testMode: values['test-mode'] === true,
    compatibleOnly: values['compatible-only'] === true,
    dryRun: values['dry-run'] === true,
    json: values.json === true,
    help: values.help === true,
  };
}

function readParameter(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw wrongUse('--param is written NAME=VALUE');
  return [text.slice(0, at), text.slice(at + 1)];
}

function readCount(name: string, text: string | null): number | null {
  if (text === null) return null;
  if (!/^\d{1,9}$/.test(text)) throw wrongUse(`--${name} is a whole number`);
  return Number(text);
}

function atLeastOne(name: string, count: number | null): number | null {
  if (count === 0) throw wrongUse(`--${name} is at least 1`);
  return count;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const several = { type: 'string', multiple: true } as const;
const options = {
  ...(Object.fromEntries(texts.map((name) => [name, text])) as Record<(typeof texts)[number], typeof text>),
  data: text,
  scope: several,
  param: several,
  step: several,
  where: several,
  'test-mode': flag,
  'compatible-only': flag,
  'dry-run': flag,
  json: flag,
  help: { type: 'boolean', short: 'h' },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw wrongUse(error instanceof Error ? error.message : String(error), error);
  }
}

function wrongUse(message: string, cause?: unknown): CommandFault {
  return new CommandFault(message, { code: commandCodes.wrongUse, cause });
}
