import { allPages } from '../calling/all-pages.ts';
import { done, tableLines } from '../command-line/command.ts';
import { type Command, defineCommand } from '../command-line/define-command.ts';
import { flagOption } from '../command-line/options.ts';

const list = defineCommand({
  words: 'projects list',
  summary: 'list the projects of the session, or the project of the key',
  async run({ api }) {
    const projects = await allPages(api, 'GET /v1/projects');
    const rows = projects.map(({ id, name, testMode }) => [id, name, testMode ? 'test mode' : '']);
    return done({ projects }, tableLines([['ID', 'NAME', ''], ...rows]));
  },
});

const create = defineCommand({
  words: 'projects create',
  operands: 'NAME',
  summary: 'create a project and print the text of its first key, once',
  options: { testMode: flagOption('also accepts tokens of the test systems of platforms, for development') },
  async run({ api, operands: [name = ''], options: { testMode } }) {
    const made = await api.call('POST /v1/projects', { body: { name, testMode } });
    return done(made, [
      made.text,
      `Project ${made.project.id}: its first key is above, and is shown only once.`,
    ]);
  },
});

export const projectCommands: readonly Command[] = [list, create];
