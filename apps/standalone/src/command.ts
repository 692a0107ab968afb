/** How `tickrate` ends. */
export const commandCodes = {
  done: 0,
  /** What was asked for is refused: nothing, or not everything, was done. */
  refused: 1,
  wrongUse: 64,
  unavailable: 69,
  /** The environment has a setting that is not valid. */
  misconfigured: 78,
  /** By Ctrl-C. */
  interrupted: 130,
  /** Whoever read the output went away, as `head` does. */
  unread: 141,
} as const;

/** What a command found or did: for programs as JSON, for people as lines. */
export interface CommandResult {
  readonly code: number;
  readonly json: unknown;
  /** Null when everything was printed while it was found. */
  readonly lines: readonly string[] | null;
}

/** A command that cannot be carried out, and why: one line. */
export class CommandFault extends Error {
  readonly code: number;

  constructor(message: string, options: ErrorOptions & { readonly code: number }) {
    super(message, options);
    this.name = 'CommandFault';
    this.code = options.code;
  }
}

/** Columns as wide as their widest cell. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
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
