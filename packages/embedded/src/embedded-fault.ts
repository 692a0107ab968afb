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

/** The reason why an embedded server could not start. `message` is one line, `advice` says what to do. */
export class EmbeddedFault extends Error {
  readonly reason: EmbeddedFaultReason;
  readonly advice: string;

  constructor(reason: EmbeddedFaultReason, message: string, details: { advice: string; cause?: unknown }) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'EmbeddedFault';
    this.reason = reason;
    this.advice = details.advice;
  }
}

export function portTaken(port: number): EmbeddedFault {
  return new EmbeddedFault('portTaken', `Port ${port} on 127.0.0.1 is taken`, {
    advice: 'Stop the program that listens there, or choose another port (0 takes any free one)',
  });
}

export function portForbidden(port: number): EmbeddedFault {
  return new EmbeddedFault('portForbidden', `Port ${port} on 127.0.0.1 is not open to this user`, {
    advice: 'Choose a port above 1023',
  });
}

export function notWritable(folder: string, cause: string): EmbeddedFault {
  return new EmbeddedFault('notWritable', `The folder ${folder} cannot be written (${cause})`, {
    advice: 'Give this user write access to it, or choose another data folder',
  });
}

export function noFolder(path: string): EmbeddedFault {
  return new EmbeddedFault('noFolder', `${path} is a file, or is below one`, {
    advice: 'Name a folder for the data',
  });
}

export function diskFull(folder: string): EmbeddedFault {
  return new EmbeddedFault('diskFull', `The disk that holds ${folder} is full`, {
    advice: 'Free some space on it, or choose a data folder on another disk',
  });
}

export function dataInUse(folder: string, pid: number): EmbeddedFault {
  return new EmbeddedFault('dataInUse', `The data folder ${folder} is in use by process ${pid}`, {
    advice: 'Stop that process first, or choose another data folder',
  });
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
  return new EmbeddedFault('remoteDisk', `The folder ${folder} is on a network disk or a drive of Windows`, {
    advice: 'Choose a data folder on a disk of this machine; in WSL, one below your home folder',
  });
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
