import { CommandFault, commandCodes, tableLines } from '../command.ts';
import type { CommandArguments } from '../command-arguments.ts';
import { allOf } from './all-of.ts';
import type { RemoteCommand } from './remote-command.ts';

interface Count {
  readonly kind: string;
  readonly type: string | null;
  readonly version: number | null;
  readonly reason: string;
  readonly events: number;
  readonly kept: number;
  readonly last: string;
}

interface Quarantined {
  readonly id: string;
  readonly kind: string;
  readonly type: string | null;
  readonly reason: string;
  readonly message: string;
  readonly at: string;
  readonly state: string;
}

const filters = ['kind', 'type', 'reason'];

const counts: RemoteCommand = {
  ...{ words: 'quarantine counts', operands: '', fewest: 0, most: 0, options: filters },
  summary: 'how many events are in quarantine, by type and reason',
  async run({ api, given }) {
    const path = '/v1/quarantine/counts';
    const { results } = await api.call<{ results: Count[] }>({ at: 'console', path, query: filterOf(given) });
    const rows = results.map((each) => [
      ...[each.kind, each.type ?? '', String(each.version ?? ''), each.reason],
      ...[String(each.events), String(each.kept), each.last],
    ]);
    const head = ['KIND', 'TYPE', 'VERSION', 'REASON', 'EVENTS', 'KEPT', 'LAST'];
    const lines = rows.length === 0 ? ['Nothing is in quarantine'] : tableLines([head, ...rows]);
    return { code: commandCodes.done, json: { counts: results }, lines };
  },
};

const list: RemoteCommand = {
  ...{ words: 'quarantine list', operands: '', fewest: 0, most: 0, options: filters },
  summary: 'what is in quarantine, newest first',
  async run({ api, given }) {
    const all = await allOf<Quarantined>(api, '/v1/quarantine', filterOf(given));
    const rows = all.map((each) => [each.id, each.state, each.type ?? '', each.reason, each.message]);
    const lines =
      rows.length === 0
        ? ['Nothing is in quarantine']
        : tableLines([['ID', 'STATE', 'TYPE', 'REASON', 'WHY'], ...rows]);
    return { code: commandCodes.done, json: { quarantined: all }, lines };
  },
};

const show: RemoteCommand = {
  ...{ words: 'quarantine show', operands: 'ID', fewest: 1, most: 1, options: [] },
  summary: 'one with everything that is known of it',
  async run({ api, operands: [id = ''] }) {
    const path = `/v1/quarantine/${encodeURIComponent(id)}`;
    const one = await api.call<Quarantined>({ at: 'console', path });
    return { code: commandCodes.done, json: one, lines: [JSON.stringify(one, null, 2)] };
  },
};

const replay: RemoteCommand = {
  ...{ words: 'quarantine replay', operands: '[ID…]', fewest: 0, most: 1_000, options: filters },
  summary: 'send what is in quarantine on its way again, all or those that are meant',
  async run({ api, operands: ids, given }) {
    const result = await api.call<{
      replayed: number;
      refused: number;
      refusals: { id: string; pointer: string; message: string }[];
    }>({
      ...{ at: 'console', method: 'POST', path: '/v1/quarantine/replay' },
      body: { filter: { ...filterOf(given), ...(ids.length > 0 && { ids }) } },
    });
    const { replayed, refused, refusals } = result;
    const lines = [
      `${replayed} replayed, ${refused} still refused`,
      ...tableLines(refusals.map(({ id, pointer, message }) => [` ${id}`, pointer, message])),
    ];
    return { code: refused === 0 ? commandCodes.done : commandCodes.refused, json: result, lines };
  },
};

const purge: RemoteCommand = {
  ...{ words: 'quarantine purge', operands: '[ID…]', fewest: 0, most: 1_000, options: filters },
  summary: 'delete for good those that are named by ID, --type, --kind or --reason',
  async run({ api, operands: ids, given }) {
    const filter = { ...filterOf(given), ...(ids.length > 0 && { ids }) };
    if (Object.keys(filter).length === 0) {
      throw new CommandFault('Say what is deleted: IDs, --type, --kind or --reason', {
        code: commandCodes.wrongUse,
      });
    }
    const gone = await api.call<{ rejected: number; deadLetters: number }>({
      ...{ at: 'console', method: 'POST', path: '/v1/quarantine/purge' },
      body: { filter },
    });
    const lines = [`Deleted: ${gone.rejected} rejected events, ${gone.deadLetters} dead letters`];
    return { code: commandCodes.done, json: gone, lines };
  },
};

export const quarantineCommands: readonly RemoteCommand[] = [counts, list, show, replay, purge];

function filterOf({ kind, type, reason }: CommandArguments): Record<string, string> {
  return {
    ...(kind !== null && { kind }),
    ...(type !== null && { type }),
    ...(reason !== null && { reason }),
  };
}
