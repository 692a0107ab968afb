import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFault, type CommandResult, commandCodes, tableLines } from '../command.ts';
import { type EventTypeFile, parseEventTypeFile } from '../event-type-file.ts';
import { allOf } from './all-of.ts';
import type { RemoteCommand } from './remote-command.ts';

interface Change {
  readonly kind: string;
  readonly pointer: string;
  readonly message: string;
}

interface Outcome {
  readonly declared: {
    readonly name: string;
    readonly version: number;
    readonly unchanged: boolean;
    readonly changes: readonly Change[];
  } | null;
  readonly refused: {
    readonly name: string;
    readonly errors: readonly { readonly location: string; readonly message: string }[];
    readonly changes: readonly Change[];
  } | null;
}

const perCall = 100;

const apply: RemoteCommand = {
  ...{ words: 'event-types apply', operands: 'DIR', fewest: 1, most: 1 },
  options: ['dry-run', 'compatible-only'],
  summary: 'declare what every .json file of a folder says',
  async run({ api, operands: [folder = ''], given: { dryRun, compatibleOnly } }) {
    const declarations = readFolder(folder);
    const results: Outcome[] = [];
    for (let at = 0; at < declarations.length; at += perCall) {
      const body = { declarations: declarations.slice(at, at + perCall), dryRun, compatibleOnly };
      const answer = await api.call<{ results: Outcome[] }>({
        ...{ at: 'console', method: 'POST', path: '/v1/declarations' },
        body,
      });
      results.push(...answer.results);
    }
    return {
      code: results.some(({ refused }) => refused !== null) ? commandCodes.refused : commandCodes.done,
      json: { dryRun, results },
      lines: results.flatMap((outcome) => linesOf(outcome, dryRun)),
    };
  },
};

const exportAll: RemoteCommand = {
  ...{ words: 'event-types export', operands: 'DIR', fewest: 1, most: 1, options: [] },
  summary: 'write the newest version of every type into a folder, a file each',
  async run({ api, operands: [folder = ''] }): Promise<CommandResult> {
    const declarations = await allOf<EventTypeFile>(api, '/v1/declarations');
    mkdirSync(folder, { recursive: true });
    const files = declarations.map((declaration) => {
      const file = join(folder, `${declaration.name}.json`);
      writeFileSync(file, `${JSON.stringify(declaration, null, 2)}\n`);
      return file;
    });
    return { code: commandCodes.done, json: { files }, lines: files };
  },
};

export const declarationCommands: readonly RemoteCommand[] = [apply, exportAll];

/** In the order of their names. Throws a CommandFault that tells every fault of every file. */
function readFolder(folder: string): object[] {
  const read = namesIn(folder).map((name) => {
    const parsed = parseEventTypeFile(readFileSync(join(folder, name), 'utf8'));
    return { name, parsed };
  });
  const faults = read.flatMap(({ name, parsed }) =>
    parsed.ok ? [] : parsed.faults.map(({ pointer, message }) => `${name}${pointer} ${message}`),
  );
  if (faults.length > 0) throw new CommandFault(faults.join('\n  '), { code: commandCodes.refused });
  return read.flatMap(({ parsed }) => {
    if (!parsed.ok) return [];
    const { name, description, declaration } = parsed.file;
    return [{ name, declaration, ...(description !== null && { description }) }];
  });
}

function namesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    if (names.length > 0) return names.toSorted();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFault(`${folder} cannot be read: ${message}`, {
      code: commandCodes.wrongUse,
      cause: error,
    });
  }
  throw new CommandFault(`There is no .json file in ${folder}`, { code: commandCodes.wrongUse });
}

function linesOf({ declared, refused }: Outcome, dryRun: boolean): string[] {
  if (declared !== null) {
    const verb = dryRun ? 'would be declared' : 'is declared';
    const what = declared.unchanged ? 'is declared already' : verb;
    return [`${declared.name}: version ${declared.version} ${what}`, ...changeLines(declared.changes)];
  }
  const { name = '', errors = [], changes = [] } = refused ?? {};
  return [
    `${name}: refused`,
    ...tableLines(errors.map(({ location, message }) => [` ${location}`, message])),
    ...(errors.length === 0 ? changeLines(changes) : []),
  ];
}

export function changeLines(changes: readonly Change[]): string[] {
  return tableLines(changes.map(({ kind, pointer, message }) => [` ${kind}`, pointer || '/', message]));
}
