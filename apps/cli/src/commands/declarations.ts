import { parseEventTypeFile } from '@tickrate/events';
import { allPages } from '../calling/all-pages.ts';
import type { AnswerOf, Api, BodyOf, RowOf } from '../calling/api.ts';
import { type CommandResult, commandCodes, done, refused, tableLines } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { jsonFilesIn, readTextFile, writeJsonFiles } from '../command-line/json-folder.ts';
import { flagOption, textOption } from '../command-line/options.ts';

type DeclarationFile = BodyOf<'POST /v1/declarations'>['declarations'][number];
type Outcome = { readonly file: string } & RowOf<'POST /v1/declarations'>;

const options = {
  dryRun: flagOption('show what would change, and declare nothing'),
  compatibleOnly: flagOption('refuse a version that breaks senders of the version before'),
};

export const declarationCommands = [
  defineCommand({
    words: 'event-types declare',
    operands: 'FILE…',
    summary: 'declare the event type of each file: {"name", "description", "declaration"}',
    options,
    run: ({ api, operands, options: given }) => declareFiles(api, operands, given),
  }),
  defineCommand({
    words: 'event-types apply',
    operands: 'DIR',
    summary: 'declare the event type of every .json file in a folder',
    options,
    run: ({ api, operands: [folder = ''], options: given }) => declareFiles(api, jsonFilesIn(folder), given),
  }),
  defineCommand({
    words: 'event-types export',
    operands: 'DIR',
    summary: 'write the newest version of every type into a folder, one file each',
    async run({ api, operands: [folder = ''] }) {
      const declarations = await allPages(api, 'GET /v1/declarations');
      const files = writeJsonFiles(
        folder,
        declarations.map((declaration) => [declaration.name, declaration]),
      );
      return done({ files }, files);
    },
  }),
  defineCommand({
    words: 'event-types check',
    operands: 'FILE…',
    summary: 'check rejected events against the declaration of each file, without declaring it',
    options: { reason: textOption('REASON', 'events rejected for this reason only') },
    async run({ api, operands, options: { reason } }) {
      const quarantined = { ...(reason !== undefined && { reason }) };
      const results: AnswerOf<'POST /v1/event-types/{name}/check'>[] = [];
      for (const { declaration: file } of readFiles(operands)) {
        const sent = { params: { name: file.name }, body: { declaration: file.declaration, quarantined } };
        results.push(await api.call('POST /v1/event-types/{name}/check', sent));
      }
      return done({ results }, results.flatMap(checkLines));
    },
  }),
];

function checkLines({ version, quarantined }: AnswerOf<'POST /v1/event-types/{name}/check'>): string[] {
  if (quarantined === null) return [];
  const { checked, passed, complete, versions, refusals } = quarantined;
  const others = versions.filter((one) => one.version !== version);
  return [
    `${passed} of ${complete ? '' : 'the newest '}${checked} rejected events would pass as version ${version}`,
    ...others.map((one) => namingLine(one.version, one.events)),
    ...tableLines(refusals.map(({ id, pointer, message }) => [` ${id}`, pointer, message])),
  ];
}

function namingLine(version: number, events: number): string {
  const [name, them] = events === 1 ? ['event names', 'it'] : ['events name', 'them'];
  return `${events} ${name} version ${version}: a replay checks ${them} against that version`;
}

const perCall = 100;

/** Declares nothing if a file is invalid. A refused declaration does not stop the others. */
async function declareFiles(
  api: Api,
  paths: readonly string[],
  { dryRun, compatibleOnly }: { readonly dryRun: boolean; readonly compatibleOnly: boolean },
): Promise<CommandResult> {
  const files = readFiles(paths);
  const results: Outcome[] = [];
  for (let at = 0; at < files.length; at += perCall) {
    const part = files.slice(at, at + perCall);
    const declarations = part.map(({ declaration }) => declaration);
    const answer = await api.call('POST /v1/declarations', {
      body: { declarations, dryRun, compatibleOnly },
    });
    results.push(...answer.results.map((outcome, index) => ({ file: part[index]?.file ?? '', ...outcome })));
  }
  return {
    code: results.some((outcome) => outcome.refused !== null) ? commandCodes.refused : commandCodes.done,
    json: { dryRun, results },
    lines: results.flatMap((outcome) => linesOf(outcome, dryRun)),
  };
}

/** Throws a CommandFault with every fault of every file. */
function readFiles(paths: readonly string[]) {
  const read = paths.map((path) => ({ path, parsed: parseEventTypeFile(readTextFile(path)) }));
  const faults = read.flatMap(({ path, parsed }) =>
    parsed.ok ? [] : parsed.faults.map(({ pointer, message }) => `${path}${pointer} ${message}`),
  );
  if (faults.length > 0) throw refused(faults.join('\n  '));
  return read.flatMap(({ path, parsed }) => {
    if (!parsed.ok) return [];
    const { name, description, declaration } = parsed.file;
    const sent = { name, declaration, ...(description !== null && { description }) };
    return [{ file: path, declaration: sent as DeclarationFile }];
  });
}

function linesOf({ file, declared, refused: refusal }: Outcome, dryRun: boolean): string[] {
  if (declared !== null) {
    const verb = dryRun ? 'would be declared' : 'declared';
    const outcome = declared.unchanged ? 'already declared' : verb;
    return [`${declared.name}: version ${declared.version} ${outcome}`, ...changeLines(declared.changes)];
  }
  const { errors = [], changes = [] } = refusal ?? {};
  return [
    `${file}: refused`,
    ...tableLines(errors.map(({ location, message }) => [` ${location}`, message])),
    ...(errors.length === 0 ? changeLines(changes) : []),
  ];
}

/** The changes between two versions of a declaration, one line each. */
export function changeLines(changes: readonly Record<'kind' | 'pointer' | 'message', string>[]): string[] {
  return tableLines(changes.map(({ kind, pointer, message }) => [` ${kind}`, pointer || '/', message]));
}
