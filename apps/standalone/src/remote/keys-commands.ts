import { commandCodes, tableLines } from '../command.ts';
import { allOf } from './all-of.ts';
import type { RemoteCommand } from './remote-command.ts';

interface Key {
  readonly id: string;
  readonly prefix: string;
  readonly kind: string;
  readonly comment: string;
  readonly scopes: readonly string[];
  readonly expires: string | null;
  readonly revoked: string | null;
}

const list: RemoteCommand = {
  ...{ words: 'keys list', operands: '', fewest: 0, most: 0, options: [] },
  summary: 'the keys of the project, newest first',
  async run({ api }) {
    const keys = await allOf<Key>(api, '/v1/keys');
    const rows = keys.map((key) => [key.id, key.kind, `${key.prefix}…`, stateOf(key), key.comment]);
    const lines = tableLines([['ID', 'KIND', 'KEY', 'STATE', 'COMMENT'], ...rows]);
    return { code: commandCodes.done, json: { keys }, lines };
  },
};

const create: RemoteCommand = {
  ...{ words: 'keys create', operands: '', fewest: 0, most: 0 },
  options: ['kind', 'comment', 'scope', 'expires'],
  summary: 'make a key and tell its text, once',
  async run({ api, given: { kind, comment, scopes, expires } }) {
    const made = await api.call<{ text: string; key: Key }>({
      ...{ at: 'console', method: 'POST', path: '/v1/keys' },
      body: {
        kind: kind ?? 'public',
        ...(comment !== null && { comment }),
        ...(scopes.length > 0 && { scopes }),
        ...(expires !== null && { expires }),
      },
    });
    const lines = [made.text, `Key ${made.key.id}: its text is told this once.`];
    return { code: commandCodes.done, json: made, lines };
  },
};

const rotate: RemoteCommand = {
  ...{ words: 'keys rotate', operands: 'KEY-ID', fewest: 1, most: 1, options: ['overlap'] },
  summary: 'a new key with the same rights; the old one stays good for a while',
  async run({ api, operands: [id = ''], given: { overlap } }) {
    const overlapSeconds = overlap ?? 3600;
    const path = `/v1/keys/${encodeURIComponent(id)}/rotate`;
    const made = await api.call<{ text: string; key: Key }>({
      ...{ at: 'console', method: 'POST', path },
      body: { overlapSeconds },
    });
    const lines = [made.text, `Key ${made.key.id}: ${id} is good for ${overlapSeconds} more seconds.`];
    return { code: commandCodes.done, json: made, lines };
  },
};

const revoke: RemoteCommand = {
  ...{ words: 'keys revoke', operands: 'KEY-ID', fewest: 1, most: 1, options: [] },
  summary: 'end a key, everywhere within a second',
  async run({ api, operands: [id = ''] }) {
    const path = `/v1/keys/${encodeURIComponent(id)}`;
    const key = await api.call<Key>({ at: 'console', method: 'DELETE', path });
    return { code: commandCodes.done, json: { key }, lines: [`Key ${id} is revoked.`] };
  },
};

export const keysCommands: readonly RemoteCommand[] = [list, create, rotate, revoke];

function stateOf({ revoked, expires }: Key): string {
  if (revoked !== null) return `revoked ${revoked.slice(0, 10)}`;
  return expires === null ? 'good' : `until ${expires.slice(0, 16)}`;
}
