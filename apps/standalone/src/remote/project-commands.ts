import { commandCodes, tableLines } from '../command.ts';
import { allOf } from './all-of.ts';
import type { RemoteCommand } from './remote-command.ts';

interface Project {
  readonly id: string;
  readonly name: string;
  readonly testMode: boolean;
}

const list: RemoteCommand = {
  ...{ words: 'projects list', operands: '', fewest: 0, most: 0, options: [] },
  summary: 'the projects that the session administers, or the one of the key',
  async run({ api }) {
    const projects = await allOf<Project>(api, '/v1/projects');
    const rows = projects.map(({ id, name, testMode }) => [id, name, testMode ? 'test mode' : '']);
    return { code: commandCodes.done, json: { projects }, lines: tableLines([['ID', 'NAME', ''], ...rows]) };
  },
};

const create: RemoteCommand = {
  ...{ words: 'projects create', operands: 'NAME', fewest: 1, most: 1, options: ['test-mode'] },
  summary: 'make a project, and tell the text of its first key, once',
  async run({ api, operands: [name], given: { testMode } }) {
    const made = await api.call<{ project: Project; text: string; key: { id: string } }>({
      ...{ at: 'console', method: 'POST', path: '/v1/projects' },
      body: { name, testMode },
    });
    const lines = [made.text, `Project ${made.project.id}: its first key is above, and told this once.`];
    return { code: commandCodes.done, json: made, lines };
  },
};

export const projectCommands: readonly RemoteCommand[] = [list, create];
