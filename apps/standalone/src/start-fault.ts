import { EmbeddedFault, type EmbeddedFaultReason } from '@tickrate/embedded';

/** Ends the start. The message is one line with the fault; `advice` is what to do. */
export class StartFault extends Error {
  readonly advice: string;

  constructor(message: string, advice: string) {
    super(message);
    this.name = 'StartFault';
    this.advice = advice;
  }
}

const adviceByReason: Partial<Record<EmbeddedFaultReason, string>> = {
  portTaken: 'Stop the process that uses it, or choose other ports with --port N (N and those above it)',
  portForbidden: 'Choose ports above 1023 with --port N',
  notWritable: 'Give this user write access to it, or choose another folder with --data DIR',
  noFolder: 'Name a folder with --data DIR',
  diskFull: 'Free some space, or choose a folder on another disk with --data DIR',
  remoteDisk: 'Choose a folder on a disk of this machine with --data DIR; in WSL, one below your home folder',
  dataInUse: 'Stop it with Ctrl-C in its terminal, or start another one with --data DIR --port N',
};

/** The text on the terminal after a failed start: what is wrong, and what to do. */
export function explainFault(
  error: unknown,
  logFolder: string,
): { readonly message: string; readonly advice: string } {
  const readLogs = `See the logs in ${logFolder}`;
  if (error instanceof EmbeddedFault) {
    return { message: error.message, advice: adviceByReason[error.reason] ?? `${error.advice}. ${readLogs}` };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isDiskFull(error)) return { message, advice: adviceByReason.diskFull ?? '' };
  if (error instanceof StartFault) return { message, advice: error.advice || readLogs };
  return { message: `The start failed: ${message.split('\n', 1)[0]}`, advice: readLogs };
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
