import { allPages } from '../calling/all-pages.ts';
import { commandCodes, done, tableLines, wrongUse } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { choiceOption, type OptionValues, textOption } from '../command-line/options.ts';

const filters = {
  kind: choiceOption(['rejected', 'dead'], 'rejected before acceptance, or refused by ClickHouse after it'),
  type: textOption('NAME', 'events of this type only'),
  reason: textOption('REASON', 'events with this reason only'),
};

const empty = 'The quarantine is empty';

export const quarantineCommands = [
  defineCommand({
    words: 'quarantine counts',
    summary: 'count the events in quarantine by type and reason',
    options: filters,
    async run({ api, options }) {
      const { results } = await api.call('GET /v1/quarantine/counts', { query: { ...options } });
      const rows = results.map(({ kind, type, version, reason, events, kept, unsampled, last }) => [
        kind,
        type ?? '',
        String(version ?? ''),
        reason,
        String(events),
        String(kept),
        String(unsampled),
        last,
      ]);
      const head = ['KIND', 'TYPE', 'VERSION', 'REASON', 'EVENTS', 'KEPT', 'UNSAMPLED', 'LAST'];
      return done({ counts: results }, rows.length === 0 ? [empty] : tableLines([head, ...rows]));
    },
  }),
  defineCommand({
    words: 'quarantine list',
    summary: 'list the events in quarantine, newest first',
    options: filters,
    async run({ api, options }) {
      const all = await allPages(api, 'GET /v1/quarantine', { query: { ...options } });
      const rows = all.map(({ id, state, type, reason, message }) => [
        id,
        state,
        type ?? '',
        reason,
        message,
      ]);
      const head = ['ID', 'STATE', 'TYPE', 'REASON', 'MESSAGE'];
      return done({ quarantined: all }, rows.length === 0 ? [empty] : tableLines([head, ...rows]));
    },
  }),
  defineCommand({
    words: 'quarantine show',
    operands: 'ID',
    summary: 'show one event in quarantine with its body',
    async run({ api, operands: [id = ''] }) {
      const one = await api.call('GET /v1/quarantine/{id}', { params: { id } });
      return done(one, [JSON.stringify(one, null, 2)]);
    },
  }),
  defineCommand({
    words: 'quarantine replay',
    operands: '[ID…]',
    summary: 'send events in quarantine again: all, or those chosen by ID or option',
    options: filters,
    async run({ api, operands: ids, options }) {
      const filter = filterOf(options, ids);
      const result = await api.call('POST /v1/quarantine/replay', { body: { filter } });
      const { replayed, refused, refusals } = result;
      const lines = [
        `${replayed} replayed, ${refused} still refused`,
        ...tableLines(refusals.map(({ id, pointer, message }) => [` ${id}`, pointer, message])),
      ];
      return { code: refused === 0 ? commandCodes.done : commandCodes.refused, json: result, lines };
    },
  }),
  defineCommand({
    words: 'quarantine purge',
    operands: '[ID…]',
    summary: 'delete events in quarantine for good, chosen by ID or option',
    options: filters,
    async run({ api, operands: ids, options }) {
      const filter = filterOf(options, ids);
      if (Object.keys(filter).length === 0) {
        throw wrongUse('Choose what to delete: IDs, --type, --kind or --reason');
      }
      const gone = await api.call('POST /v1/quarantine/purge', { body: { filter } });
      return done(gone, [`Deleted: ${gone.rejected} rejected events, ${gone.deadLetters} dead letters`]);
    },
  }),
  defineCommand({
    words: 'quarantine export',
    summary: 'print every event in quarantine, one line of JSON each',
    options: filters,
    async run({ api, options, out }) {
      for await (const part of await api.stream('GET /v1/quarantine/export', { query: { ...options } })) {
        await out(part);
      }
      return done(null, null);
    },
  }),
];

function filterOf({ kind, type, reason }: OptionValues<typeof filters>, ids: readonly string[]) {
  return {
    ...(kind !== undefined && { kind }),
    ...(type !== undefined && { type }),
    ...(reason !== undefined && { reason }),
    ...(ids.length > 0 && { ids: [...ids] }),
  };
}
