import { parseArgs } from 'node:util';
import { dataOption } from '@tickrate/platform';
import type { GivenPlace } from '../calling/find-api.ts';
import { wrongUse } from './command.ts';
import { type Command, operandBounds } from './define-command.ts';
import { flagOption, type OptionTable, optionName, textOption } from './options.ts';

export const commonOptions = {
  data: textOption('DIR', 'the data folder of `npm start` (default: .tickrate in this folder)'),
  url: textOption('URL', 'the management API (default: TICKRATE_URL, else the session or the data folder)'),
  gateway: textOption('URL', 'the gateway (default: TICKRATE_GATEWAY_URL, else the data folder)'),
  auth: textOption('URL', 'auth (default: TICKRATE_AUTH_URL, else the data folder)'),
  json: flagOption('print JSON'),
  help: flagOption('show this help, or that of a command'),
} satisfies OptionTable;

export interface CommonValues extends GivenPlace {
  readonly folderIsNamed: boolean;
  readonly json: boolean;
}

export type CommandLine =
  | { readonly kind: 'help'; readonly command: Command }
  /** The words name several commands: no word names all commands, `keys` names `keys …`. */
  | { readonly kind: 'group'; readonly commands: readonly Command[]; readonly isAsked: boolean }
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly operands: readonly string[];
      readonly options: Readonly<Record<string, unknown>>;
      readonly common: CommonValues;
    };

/** Throws a CommandFault for an unknown command, an unknown option or a wrong number of operands. */
export function parseCommandLine(args: readonly string[], commands: readonly Command[]): CommandLine {
  const every = Object.assign({}, ...commands.map(({ options }) => options), commonOptions) as OptionTable;
  const { words, isHelp } = findWords(args, every);
  const command = findCommand(words, commands);
  if (command === null) {
    const group = findGroup(words, commands);
    if (group.length === 0) throw wrongUse(`'${words.join(' ')}' is not a command: see --help`);
    return { kind: 'group', commands: group, isAsked: isHelp };
  }
  if (isHelp) return { kind: 'help', command };
  const { operands, texts } = parseStrictly(args, command);
  const read = (key: string, table: OptionTable) =>
    table[key]?.read(optionName(key), texts[optionName(key)] ?? []);
  const options = Object.fromEntries(
    Object.keys(command.options).map((key) => [key, read(key, command.options)]),
  );
  return { kind: 'run', command, operands, options, common: commonValues(texts) };
}

function findWords(args: readonly string[], every: OptionTable) {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    options: parsedOptions(every),
  });
  return { words: positionals, isHelp: values['help'] === true };
}

function parseStrictly(args: readonly string[], command: Command) {
  const table = { ...commonOptions, ...command.options };
  const { positionals, values } = parsed(args, table);
  const operands = positionals.slice(command.words.split(' ').length);
  const { least, most } = operandBounds(command);
  if (operands.length > most) {
    throw wrongUse(`'${operands[most]}' is one operand too many: see \`${command.words} --help\``);
  }
  if (operands.length < least) {
    const taken =
      values['data'] === undefined ? '' : ` (--data took '${values['data']}': it names the data folder)`;
    throw wrongUse(`Missing ${command.operands}${taken}: see \`${command.words} --help\``);
  }
  const texts: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(values)) texts[name] = [value ?? []].flat().map(String);
  return { operands, texts };
}

function parsed(args: readonly string[], table: OptionTable) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: parsedOptions(table) });
  } catch (error) {
    throw wrongUse(error instanceof Error ? error.message : String(error), error);
  }
}

function parsedOptions(table: OptionTable) {
  return Object.fromEntries(
    Object.entries(table).map(([key, { placeholder, repeatable }]) => [
      optionName(key),
      {
        type: placeholder === null ? ('boolean' as const) : ('string' as const),
        multiple: repeatable,
        ...(key === 'help' && { short: 'h' }),
      },
    ]),
  );
}

function commonValues(texts: Readonly<Record<string, readonly string[]>>): CommonValues {
  const last = (name: string) => texts[name]?.at(-1);
  const folder = dataOption(last('data'));
  if (folder === null) throw wrongUse('--data requires a folder');
  return {
    folder,
    folderIsNamed: last('data') !== undefined,
    url: last('url'),
    gateway: last('gateway'),
    auth: last('auth'),
    json: last('json') !== undefined,
  };
}

function findCommand(words: readonly string[], commands: readonly Command[]): Command | null {
  for (const length of [2, 1]) {
    const begin = words.slice(0, length).join(' ');
    const command = commands.find((each) => each.words === begin);
    if (command !== undefined) return command;
  }
  return null;
}

function findGroup(words: readonly string[], commands: readonly Command[]): readonly Command[] {
  const [first = '', ...more] = words;
  if (more.length > 0) return [];
  return commands.filter((command) => first === '' || command.words.startsWith(`${first} `));
}
