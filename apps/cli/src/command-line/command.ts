import { printable } from '@tickrate/contract';

/** Exit codes of `tickrate`. */
export const commandCodes = {
  done: 0,
  /** The request was refused: nothing was done, or only a part. */
  refused: 1,
  wrongUse: 64,
  unavailable: 69,
  internalFault: 70,
  /** The environment has an invalid setting. */
  misconfigured: 78,
  /** Ctrl-C. */
  interrupted: 130,
  /** The reader of the output closed it, like `head`. */
  unread: 141,
} as const;

/** The outcome of a command: JSON for programs, lines for people. */
export interface CommandResult {
  readonly code: number;
  readonly json: unknown;
  /** Null when the command has printed everything itself. */
  readonly lines: readonly string[] | null;
}

/** A command that failed. The message is one line with the reason. */
export class CommandFault extends Error {
  readonly code: number;

  constructor(message: string, options: ErrorOptions & { readonly code: number }) {
    super(message, options);
    this.name = 'CommandFault';
    this.code = options.code;
  }
}

/** For an error with these data: a database did not say whether it did what the command asked. */
export function hintOf(data: Readonly<Record<string, unknown>>): string {
  return data['outcomeUnknown'] === true ? '. It may have been done: check before you repeat it' : '';
}

export function done(json: unknown, lines: readonly string[] | null): CommandResult {
  return { code: commandCodes.done, json, lines };
}

/** The server, or the state of the installation, does not allow what the command asks. */
export function refused(message: string, cause?: unknown): CommandFault {
  return new CommandFault(message, { code: commandCodes.refused, cause });
}

export function wrongUse(message: string, cause?: unknown): CommandFault {
  return new CommandFault(message, { code: commandCodes.wrongUse, cause });
}

/** Pads every column to its widest cell. */
export function tableLines(given: readonly (readonly string[])[]): string[] {
  const rows = given.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
