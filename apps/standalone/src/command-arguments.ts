import { parseArgs } from 'node:util';
import { CommandFault, commandCodes } from './command.ts';
import { dataOption } from './data-option.ts';

export interface CommandArguments {
  /** What is to be done, then with what: `event-types`, `declare`, FILE. */
  readonly words: readonly string[];
  readonly folder: string;
  readonly project: string | null;
  readonly compatibleOnly: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly help: boolean;
}

/** Throws a CommandFault for an option that there is not. */
export function parseCommandArguments(args: readonly string[]): CommandArguments {
  const { values, positionals } = parse(args);
  const folder = dataOption(values.data);
  if (folder === null)
    throw new CommandFault('--data must be followed by a folder', { code: commandCodes.wrongUse });
  return {
    words: positionals,
    folder,
    project: values.project ?? null,
    compatibleOnly: values['compatible-only'] === true,
    dryRun: values['dry-run'] === true,
    json: values.json === true,
    help: values.help === true,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        project: { type: 'string' },
        'compatible-only': { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFault(message, { code: commandCodes.wrongUse, cause: error });
  }
}
