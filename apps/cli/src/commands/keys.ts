import { allPages } from '../calling/all-pages.ts';
import type { RowOf } from '../calling/api.ts';
import { done, tableLines } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { choiceOption, countOption, listOption, textOption } from '../command-line/options.ts';

type Key = RowOf<'GET /v1/keys'>;

export const keyCommands = [
  defineCommand({
    words: 'keys list',
    summary: 'list the keys of the project, newest first',
    async run({ api }) {
      const keys = await allPages(api, 'GET /v1/keys');
      const rows = keys.map((key) => [
        key.id,
        key.kind,
        `${key.prefix}…${key.ending}`,
        stateOf(key),
        key.comment,
      ]);
      return done({ keys }, tableLines([['ID', 'KIND', 'KEY', 'STATE', 'COMMENT'], ...rows]));
    },
  }),
  defineCommand({
    words: 'keys create',
    summary: 'create a key and print its text, once',
    options: {
      kind: choiceOption(['public', 'administrative'], 'the kind of key (default: public)'),
      comment: textOption('TEXT', 'what the key is for'),
      scope: listOption('SCOPE', 'RESOURCE:read or RESOURCE:write, for an administrative key'),
      expires: textOption('TIME', 'when the key stops working, as RFC 3339'),
    },
    async run({ api, options: { kind = 'public', comment, scope, expires } }) {
      const scopes = scope.length === 0 ? undefined : [...scope];
      const made = await api.call('POST /v1/keys', { body: { kind, comment, scopes, expires } });
      return done(made, [made.text, `Key ${made.key.id}: its text is shown only once.`]);
    },
  }),
  defineCommand({
    words: 'keys rotate',
    operands: 'KEY-ID',
    summary: 'create a key with the same rights; the old one works for a while longer',
    options: { overlap: countOption('SECONDS', 'how long the old key works (default: 3600)') },
    async run({ api, operands: [keyId = ''], options: { overlap: overlapSeconds = 3600 } }) {
      const body = { overlapSeconds };
      const made = await api.call('POST /v1/keys/{keyId}/rotate', { params: { keyId }, body });
      return done(made, [
        made.text,
        `Key ${made.key.id}: ${keyId} works for ${overlapSeconds} more seconds.`,
      ]);
    },
  }),
  defineCommand({
    words: 'keys revoke',
    operands: 'KEY-ID',
    summary: 'revoke a key, everywhere within a second',
    async run({ api, operands: [keyId = ''] }) {
      const key = await api.call('DELETE /v1/keys/{keyId}', { params: { keyId } });
      return done({ key }, [`Key ${keyId} is revoked.`]);
    },
  }),
];

export function stateOf({ revoked, expires }: Key): string {
  if (revoked !== null) return `revoked ${revoked.slice(0, 10)}`;
  return expires === null ? 'valid' : `until ${expires.slice(0, 16)}`;
}
