import { printableLines, SystemError } from '@tickrate/contract';
import { QueueUnavailable } from '@tickrate/pipeline';
import { ConfigFault, UnreadableFile } from '@tickrate/platform';
import { outcomeOf, PostgresUnavailable } from '@tickrate/postgres';
import { WarehouseFault } from '@tickrate/warehouse';
import { createApi } from './calling/api.ts';
import { findApi } from './calling/find-api.ts';
import { CommandFault, type CommandResult, commandCodes, hintOf } from './command-line/command.ts';
import type { CommandContext } from './command-line/define-command.ts';
import { helpOf, helpText } from './command-line/help-text.ts';
import { type CommandLine, type CommonValues, parseCommandLine } from './command-line/parse-command-line.ts';
import { commands } from './commands.ts';
import type { CliValues } from './config.ts';

export interface CommandSurroundings
  extends Pick<CommandContext, 'out' | 'readInput' | 'readSecret' | 'interactive' | 'signal' | 'now'> {
  /** Throws a ConfigFault. */
  readonly readValues: () => CliValues;
  readonly complain: (text: string) => void;
}

/** Runs one command line. Resolves with the exit code after everything is printed. */
export async function runTickrate(
  args: readonly string[],
  surroundings: CommandSurroundings,
): Promise<number> {
  const { out, complain, signal } = surroundings;
  try {
    const line = parseCommandLine(args, commands);
    if (line.kind === 'run') return await print(line.common, await run(line, surroundings), out);
    await out(line.kind === 'help' ? helpOf(line.command) : helpText(line.commands));
    return line.kind === 'help' || line.isAsked ? commandCodes.done : commandCodes.wrongUse;
  } catch (error) {
    if (signal.aborted) return commandCodes.interrupted;
    const { code, message } = faultOf(error);
    complain(`tickrate: ${printableLines(message)}\n`);
    return code;
  }
}

function run(
  { command, operands, options, common }: CommandLine & { kind: 'run' },
  { readValues, complain: _, ...surroundings }: CommandSurroundings,
): Promise<CommandResult> {
  const given = readValues();
  // `--data` names an installation. The databases of the environment may belong to another one, so they are ignored.
  const values = common.folderIsNamed
    ? { ...given, postgresUrl: null, queueUrl: null, clickhouseUrl: null }
    : given;
  const place = findApi(common, values, surroundings.now());
  const { folder, json } = common;
  const api = createApi(place, surroundings.signal);
  return command.run({ ...surroundings, operands, options, folder, json, values, place, api });
}

async function print(
  { json }: CommonValues,
  result: CommandResult,
  out: CommandSurroundings['out'],
): Promise<number> {
  if (result.lines !== null) {
    const text = json ? JSON.stringify(result.json, null, 2) : result.lines.join('\n');
    if (text !== '') await out(`${printableLines(text)}\n`);
  }
  return result.code;
}

function faultOf(error: unknown): { readonly code: number; readonly message: string } {
  if (error instanceof CommandFault) return error;
  const message = error instanceof Error ? error.message : String(error);
  // A store did not answer. A refusal is an answer.
  if ([PostgresUnavailable, QueueUnavailable, WarehouseFault].some((kind) => error instanceof kind)) {
    const hint = error instanceof SystemError ? hintOf(error.data) : '';
    return {
      code: commandCodes.unavailable,
      message: `${message}${hint}. Is \`npm start\` running, or the database that the settings name?`,
    };
  }
  if (error instanceof SystemError) return { code: commandCodes.refused, message };
  if (error instanceof ConfigFault) return { code: commandCodes.misconfigured, message };
  if (outcomeOf(error) === 'refused' && refusedEntry.test(String((error as { code?: unknown }).code))) {
    const advice = 'POSTGRES_URL needs the user, password and database that the server was created with';
    return { code: commandCodes.misconfigured, message: `${message}: ${advice}` };
  }
  if (error instanceof UnreadableFile) return { code: commandCodes.unavailable, message };
  const trace = error instanceof Error ? (error.stack ?? message) : message;
  return { code: commandCodes.internalFault, message: trace };
}

/** SQLSTATEs of an unknown user, a wrong password and an unknown database. */
const refusedEntry = /^(28|3D)/;
