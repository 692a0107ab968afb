import type { Api } from '../calling/api.ts';
import type { ApiPlace } from '../calling/find-api.ts';
import type { CliValues } from '../config.ts';
import type { CommandResult } from './command.ts';
import type { OptionTable, OptionValues } from './options.ts';

/** One command of `tickrate`. Help, completion and parsing are derived from it. */
export interface Command<T extends OptionTable = OptionTable> {
  /** `keys create` */
  readonly words: string;
  /** The operands after the words: `KEY-ID`, `[JSON|-]`, `FILE…`. */
  readonly operands: string;
  readonly summary: string;
  readonly options: T;
  run(call: CommandCall<T>): Promise<CommandResult>;
}

export interface CommandCall<T extends OptionTable = OptionTable> extends CommandContext {
  readonly operands: readonly string[];
  readonly options: OptionValues<T>;
}

export interface CommandContext {
  readonly api: Api;
  readonly place: ApiPlace;
  readonly values: CliValues;
  /** The data folder, as an absolute path. */
  readonly folder: string;
  /** `--json` was given. */
  readonly json: boolean;
  /** Prints at once; resolves when it is written. */
  readonly out: (text: string | Uint8Array) => unknown;
  /** Resolves with all of standard input. */
  readonly readInput: () => Promise<string>;
  /** Reads one line from a terminal without showing it, otherwise all of standard input. */
  readonly readSecret: (prompt: string) => Promise<string>;
  /** Standard input is a terminal, so the command can ask a person. */
  readonly interactive: boolean;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** `run` receives the types of the options that the command declares. */
export function defineCommand<const T extends OptionTable>(
  command: Omit<Command<T>, 'operands' | 'options'> & {
    readonly operands?: string;
    readonly options?: T;
  },
): Command {
  // The parser reads exactly these options before it calls `run`.
  return { operands: '', options: {}, ...command } as unknown as Command;
}

/** The number of operands that `[JSON|-]`, `FILE…` and similar texts describe. */
export function operandBounds({ operands }: Pick<Command, 'operands'>): { least: number; most: number } {
  const words = operands.split(' ').filter((word) => word !== '');
  return {
    least: words.filter((word) => !word.startsWith('[')).length,
    most: operands.includes('…') ? Number.POSITIVE_INFINITY : words.length,
  };
}
