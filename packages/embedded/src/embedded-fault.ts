import type { UnloadableTable } from './clickhouse/unloadable-table.ts';

export type EmbeddedFaultReason =
  | 'portTaken'
  | 'portForbidden'
  | 'notWritable'
  | 'noFolder'
  | 'remoteDisk'
  | 'diskFull'
  | 'unsupportedPlatform'
  | 'dataInUse'
  | 'startFailed';

/**
 * The reason why an embedded server could not start. `message` is one line. `advice` says what to do, where the caller
 * cannot know that from the reason; otherwise it is empty.
 */
export class EmbeddedFault extends Error {
  readonly reason: EmbeddedFaultReason;
  readonly advice: string;

  constructor(
    reason: EmbeddedFaultReason,
    message: string,
    { advice = '', ...options }: ErrorOptions & { readonly advice?: string } = {},
  ) {
    super(message, options);
    this.name = 'EmbeddedFault';
    this.reason = reason;
    this.advice = advice;
  }
}

export function portTaken(port: number): EmbeddedFault {
  return new EmbeddedFault('portTaken', `Port ${port} on 127.0.0.1 is taken`);
}

export function portForbidden(port: number): EmbeddedFault {
  return new EmbeddedFault('portForbidden', `Port ${port} on 127.0.0.1 is not open to this user`);
}

export function notWritable(folder: string, cause: string): EmbeddedFault {
  return new EmbeddedFault('notWritable', `The folder ${folder} cannot be written (${cause})`);
}

export function noFolder(path: string): EmbeddedFault {
  return new EmbeddedFault('noFolder', `${path} is a file, or is below one`);
}

export function diskFull(folder: string): EmbeddedFault {
  return new EmbeddedFault('diskFull', `The disk that holds ${folder} is full`);
}

export function dataInUse(folder: string, pid: number): EmbeddedFault {
  return new EmbeddedFault('dataInUse', `The data folder ${folder} is in use by process ${pid}`);
}

export function unsupportedPlatform(what: string, platform: string, cause: unknown): EmbeddedFault {
  return new EmbeddedFault(
    'unsupportedPlatform',
    `${what} is not available for ${platform} as an npm package`,
    {
      advice:
        'Run on Linux (glibc) or macOS, x64 or arm64, reinstall without --omit=optional, or give the URL of a server of your own',
      cause,
    },
  );
}

export function remoteDisk(folder: string): EmbeddedFault {
  return new EmbeddedFault('remoteDisk', `The folder ${folder} is on a network disk or a drive of Windows`);
}

/** Undefined for a cause that has nothing to do with the machine. */
export function machineTooOld(cause: string): EmbeddedFault | undefined {
  const [, library] = /version `(GLIBC_[\d.]+)' not found/.exec(cause) ?? [];
  if (library === undefined && cause !== 'SIGILL') return undefined;
  const lack =
    library === undefined
      ? 'The processor lacks instructions that ClickHouse uses, such as AVX'
      : `The C library of this system is older than ${library}, which ClickHouse needs`;
  return new EmbeddedFault('unsupportedPlatform', lack, {
    advice: 'Use a newer machine or system, such as Debian 12, or give the URL of a server of your own',
  });
}

export function startFailed(what: string, cause: string): EmbeddedFault {
  return new EmbeddedFault('startFailed', `${what} did not start: ${cause}`, {
    advice:
      'Read the last lines of its log; if the data folder is damaged, restore it or start with an empty one',
  });
}

export function tableUnloadable({ database, table, definition, reason }: UnloadableTable): EmbeddedFault {
  const name = `${database}.${table}`;
  return new EmbeddedFault('startFailed', `ClickHouse cannot load the table ${name}: ${reason}`, {
    advice: `Its definition is ${definition}: correct it there. If the table is your own and not needed, move the file away`,
  });
}
