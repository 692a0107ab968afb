import type { CommandResult } from '../command.ts';
import type { CommandArguments } from '../command-arguments.ts';
import type { Api } from './api.ts';
import type { ApiPlace } from './find-api.ts';

/** A command that speaks with the HTTP APIs. */
export interface RemoteCommand {
  /** `keys create` */
  readonly words: string;
  /** What follows the words: `KEY-ID`, `[JSON|-]`. */
  readonly operands: string;
  readonly fewest: number;
  readonly most: number;
  readonly summary: string;
  /** Those that only mean something here. */
  readonly options: readonly string[];
  run(call: RemoteCall): Promise<CommandResult>;
}

export interface RemoteCall {
  readonly operands: readonly string[];
  readonly given: CommandArguments;
  readonly api: Api;
  readonly place: ApiPlace;
  /** Prints at once; resolves when it is written. */
  readonly out: (text: string | Uint8Array) => unknown;
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
  /** One line that nobody sees typed where there is a terminal, else all of standard input. */
  readonly readSecret: (prompt: string) => Promise<string>;
  /** Somebody sits there and can be asked again. */
  readonly interactive: boolean;
  readonly password: string | null;
  readonly signal: AbortSignal;
  readonly now: () => number;
}
