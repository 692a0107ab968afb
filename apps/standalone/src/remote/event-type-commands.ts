import { commandCodes } from '../command.ts';
import { changeLines } from './declaration-commands.ts';
import type { RemoteCommand } from './remote-command.ts';

interface Shown {
  readonly name: string;
  readonly description: string | null;
  readonly versions: readonly {
    readonly version: number;
    readonly status: string;
    readonly declaration: object;
  }[];
}

const show: RemoteCommand = {
  ...{ words: 'event-types show', operands: 'NAME', fewest: 1, most: 1, options: [] },
  summary: 'one type: its versions, and the newest declaration',
  async run({ api, operands: [name = ''] }) {
    const type = await api.call<Shown>({ at: 'console', path: pathOf(name) });
    const newest = type.versions.at(-1);
    const lines = [
      ...(type.description === null ? [type.name] : [`${type.name}: ${type.description}`]),
      ...type.versions.map(({ version, status }) => `  version ${version}  ${status}`),
      JSON.stringify(newest?.declaration, null, 2),
    ];
    return { code: commandCodes.done, json: type, lines };
  },
};

const diff: RemoteCommand = {
  ...{ words: 'event-types diff', operands: 'NAME', fewest: 1, most: 1, options: ['from', 'to'] },
  summary: 'what changed between two versions, --from N --to N',
  async run({ api, operands: [name = ''], given: { from, to } }) {
    const { versions } = await api.call<Shown>({ at: 'console', path: pathOf(name) });
    const newest = versions.at(-1)?.version ?? 1;
    const query = { from: from ?? String(Math.max(1, newest - 1)), to: to ?? String(newest) };
    const path = `${pathOf(name)}/difference`;
    const result = await api.call<{ compatible: boolean; changes: Parameters<typeof changeLines>[0] }>({
      ...{ at: 'console', path, query },
    });
    const title = `${name} ${query.from} → ${query.to}: ${result.compatible ? 'compatible' : 'breaking'}`;
    return { code: commandCodes.done, json: result, lines: [title, ...changeLines(result.changes)] };
  },
};

const languages: Readonly<Record<string, string>> = { ts: 'typescript', cs: 'csharp' };

const types: RemoteCommand = {
  ...{ words: 'event-types types', operands: 'NAME', fewest: 1, most: 1, options: ['language'] },
  summary: 'the type as code, --language ts or cs',
  async run({ api, operands: [name = ''], given: { language } }) {
    const asked = language ?? 'ts';
    const result = await api.call<{ code: string }>({
      ...{ at: 'console', path: `${pathOf(name)}/code` },
      query: { language: languages[asked] ?? asked },
    });
    return { code: commandCodes.done, json: result, lines: [result.code.trimEnd()] };
  },
};

export const eventTypeCommands: readonly RemoteCommand[] = [show, diff, types];

function pathOf(name: string): string {
  return `/v1/event-types/${encodeURIComponent(name)}`;
}
