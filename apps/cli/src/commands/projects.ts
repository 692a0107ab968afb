import { allPages } from '../calling/all-pages.ts';
import { done, tableLines, wrongUse } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { flagOption, textOption } from '../command-line/options.ts';

export const projectCommands = [
  defineCommand({
    words: 'projects list',
    summary: 'list the projects of the session, or the project of the key',
    async run({ api }) {
      const projects = await allPages(api, 'GET /v1/projects');
      const rows = projects.map(({ id, name, testMode }) => [id, name, testMode ? 'test mode' : '']);
      return done({ projects }, tableLines([['ID', 'NAME', ''], ...rows]));
    },
  }),
  defineCommand({
    words: 'projects create',
    operands: 'NAME',
    summary: 'create a project and print the text of its first key, once',
    options: {
      testMode: flagOption('also accepts tokens of the test systems of platforms, for development'),
    },
    async run({ api, operands: [name = ''], options: { testMode } }) {
      const made = await api.call('POST /v1/projects', { body: { name, testMode } });
      return done(made, [
        made.text,
        `Project ${made.project.id}: its first key is above, and is shown only once.`,
      ]);
    },
  }),
  defineCommand({
    words: 'projects delete',
    operands: 'PROJECT-ID',
    summary: 'delete the project of the session with everything in it; needs an owner',
    options: { name: textOption('NAME', 'the name of the project, to confirm it; required') },
    async run({ api, operands: [projectId = ''], options: { name } }) {
      if (name === undefined)
        throw wrongUse('Confirm with --name and the name of the project: nothing of it stays');
      const deletion = await api.call('POST /v1/projects/{projectId}/deletion', {
        params: { projectId },
        body: { name },
      });
      return done(deletion, [
        `Project ${projectId} is deleted. The workers now delete what is in it.`,
        '`projects deleted` shows when that is done, and with --json the certificate.',
      ]);
    },
  }),
  defineCommand({
    words: 'projects deleted',
    summary: 'list the projects that the account of the session deleted, with --json their certificates',
    async run({ api }) {
      const projects = await allPages(api, 'GET /v1/deleted-projects');
      const rows = projects.map(({ projectId, requested, requestedBy, state, fault }) => [
        projectId,
        requested,
        requestedBy,
        fault ?? state,
      ]);
      return done({ projects }, tableLines([['ID', 'REQUESTED', 'BY', 'STATE'], ...rows]));
    },
  }),
];
