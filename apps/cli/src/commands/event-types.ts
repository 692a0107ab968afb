import { codeLanguages } from '@tickrate/events';
import { allPages } from '../calling/all-pages.ts';
import { done, tableLines } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { choiceOption, countOption } from '../command-line/options.ts';
import { changeLines } from './declarations.ts';

export const eventTypeCommands = [
  defineCommand({
    words: 'event-types list',
    summary: 'list the event types of the project with their versions',
    async run({ api }) {
      const eventTypes = await allPages(api, 'GET /v1/event-types');
      const rows = eventTypes.map(({ name, description, versions }) => [
        name,
        versions.map(({ version, status }) => versionText(version, status)).join(', '),
        description ?? '',
      ]);
      const head = ['NAME', 'VERSIONS', 'DESCRIPTION'];
      const lines = rows.length === 0 ? ['The project declares no event types'] : tableLines([head, ...rows]);
      return done({ eventTypes }, lines);
    },
  }),
  defineCommand({
    words: 'event-types show',
    operands: 'NAME',
    summary: 'show the versions of a type and its newest declaration',
    async run({ api, operands: [name = ''] }) {
      const type = await api.call('GET /v1/event-types/{name}', { params: { name } });
      const lines = [
        type.description === null ? type.name : `${type.name}: ${type.description}`,
        ...type.versions.map(({ version, status }) => `  version ${version}  ${status}`),
        JSON.stringify(type.versions.at(-1)?.declaration, null, 2),
      ];
      return done(type, lines);
    },
  }),
  defineCommand({
    words: 'event-types diff',
    operands: 'NAME',
    summary: 'show the changes between two versions of a type',
    options: {
      from: countOption('N', 'the older version (default: the one before the newest)', { least: 1 }),
      to: countOption('N', 'the newer version (default: the newest)', { least: 1 }),
    },
    async run({ api, operands: [name = ''], options }) {
      const { versions } = await api.call('GET /v1/event-types/{name}', { params: { name } });
      const newest = versions.at(-1)?.version ?? 1;
      const query = { from: options.from ?? Math.max(1, newest - 1), to: options.to ?? newest };
      const result = await api.call('GET /v1/event-types/{name}/difference', { params: { name }, query });
      const title = `${name} ${query.from} → ${query.to}: ${result.compatible ? 'compatible' : 'breaking'}`;
      return done(result, [title, ...changeLines(result.changes)]);
    },
  }),
  defineCommand({
    words: 'event-types code',
    operands: 'NAME',
    summary: 'print the type as code',
    options: {
      language: choiceOption(codeLanguages, 'the language (default: typescript)'),
    },
    async run({ api, operands: [name = ''], options: { language = 'typescript' } }) {
      const sent = { params: { name }, query: { language } };
      const result = await api.call('GET /v1/event-types/{name}/code', sent);
      return done(result, [result.code.trimEnd()]);
    },
  }),
];

function versionText(version: number, status: string): string {
  return status === 'available' ? `${version}` : `${version} ${status}`;
}
