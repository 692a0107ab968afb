import { readFileSync } from 'node:fs';
import type { DeclareResult, Registry } from '@tickrate/registry';
import { CommandFault, type CommandResult, commandCodes, tableLines } from './command.ts';
import { type FileFault, parseEventTypeFile } from './event-type-file.ts';

export interface DeclareRequest {
  readonly projectId: string;
  readonly files: readonly DeclarationText[];
  readonly compatibleOnly: boolean;
  readonly dryRun: boolean;
}

export interface DeclarationText {
  readonly path: string;
  readonly text: string;
}

type FileResult = { readonly file: string; readonly name: string | null } & (
  | DeclareResult
  | { readonly ok: false; readonly reason: 'fileFaults'; readonly faults: readonly FileFault[] }
);

/** Declares what the files say, one after the other; a file that is refused does not keep back the next one. */
export async function declareEventTypes(registry: Registry, request: DeclareRequest): Promise<CommandResult> {
  const results: FileResult[] = [];
  for (const file of request.files) results.push(await declareOne(registry, request, file));
  return {
    code: results.every(({ ok }) => ok) ? commandCodes.done : commandCodes.refused,
    json: { projectId: request.projectId, dryRun: request.dryRun, results },
    lines: results.flatMap((result) => linesOf(result, request.dryRun)),
  };
}

async function declareOne(
  registry: Registry,
  request: DeclareRequest,
  { path, text }: DeclarationText,
): Promise<FileResult> {
  const parsed = parseEventTypeFile(text);
  if (!parsed.ok) return { file: path, name: null, ok: false, reason: 'fileFaults', faults: parsed.faults };
  const { projectId, compatibleOnly, dryRun } = request;
  const { description, ...declared } = parsed.file;
  const result = await registry.declareEventType({
    projectId,
    compatibleOnly,
    dryRun,
    ...declared,
    ...(description !== null && { description }),
  });
  return { file: path, name: parsed.file.name, ...inFile(result) };
}

// Pointers lead through the file, where a person will look for them.
function inFile(result: DeclareResult): DeclareResult {
  if (result.ok || result.reason !== 'declarationFaults') return result;
  const faults = result.faults.map((fault) => ({ ...fault, pointer: `/declaration${fault.pointer}` }));
  return { ...result, faults };
}

function linesOf(result: FileResult, dryRun: boolean): string[] {
  const title = result.name ?? result.file;
  if (result.ok) {
    const declared = dryRun ? 'would be declared' : 'is declared';
    const text = result.unchanged ? 'is declared already' : declared;
    return [`${title}: version ${result.version} ${text}`, ...changeLines(result.changes)];
  }
  switch (result.reason) {
    case 'invalidName':
      return [
        `${result.file}: refused: a name has 1 to 128 letters, digits and _ . - and begins with a letter`,
      ];
    case 'breaking':
      return [`${title}: refused: not compatible with the newest version`, ...changeLines(result.changes)];
    default:
      return [
        `${result.file}: refused`,
        ...tableLines(result.faults.map(({ pointer, message }) => [` ${pointer || '/'}`, message])),
      ];
  }
}

function changeLines(changes: readonly { kind: string; pointer: string; message: string }[]): string[] {
  return tableLines(changes.map(({ kind, pointer, message }) => [` ${kind}`, pointer || '/', message]));
}

/** Throws a CommandFault when it cannot be read. */
export function readDeclaration(path: string): DeclarationText {
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new CommandFault(`${path} cannot be read: ${cause}`, { code: commandCodes.wrongUse, cause: error });
  }
}
