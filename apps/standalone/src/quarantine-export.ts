import { createQuarantine, type QuarantineFilter } from '@tickrate/pipeline';
import { CommandFault, type CommandResult, commandCodes } from './command.ts';
import type { CommandArguments } from './command-arguments.ts';

export interface QuarantineExport {
  readonly postgresUrl: string;
  readonly projectId: string;
  readonly given: Pick<CommandArguments, 'kind' | 'type' | 'reason'>;
  /** What it returns is awaited before more is written. */
  readonly out: (text: string) => unknown;
}

/** Prints everything in quarantine that is meant, a line of JSON each, read as it is printed. */
export async function exportQuarantine(work: QuarantineExport): Promise<CommandResult> {
  const { postgresUrl, projectId, given, out } = work;
  const filter = filterOf(given);
  const quarantine = createQuarantine({ postgresUrl, maxConnections: 1, onFault: () => undefined });
  try {
    for await (const entry of quarantine.export(projectId, filter)) await out(`${JSON.stringify(entry)}\n`);
    return { code: commandCodes.done, json: null, lines: null };
  } finally {
    await quarantine.close();
  }
}

function filterOf({ kind, type, reason }: QuarantineExport['given']): QuarantineFilter {
  if (kind !== null && kind !== 'rejected' && kind !== 'dead')
    throw new CommandFault('--kind is rejected or dead', { code: commandCodes.wrongUse });
  return { kind: kind ?? undefined, type: type ?? undefined, reason: reason ?? undefined };
}
