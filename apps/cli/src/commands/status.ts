import { done, tableLines } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';

const columns = ['accepted', 'stored', 'pending', 'deduplicated', 'dead', 'missing'] as const;

export const statusCommand = defineCommand({
  words: 'status',
  summary: 'count the accepted, stored, pending, deduplicated, dead and missing events of the project',
  async run({ api }) {
    const status = await api.call('GET /v1/pipeline');
    const { events } = status;
    const row = columns.map((column) => (events[column] === null ? '?' : String(events[column])));
    return done(status, tableLines([columns.map((name) => name.toUpperCase()), row]));
  },
});
