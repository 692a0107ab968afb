import { allPages } from '../calling/all-pages.ts';
import { done, tableLines } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { flagOption, textOption } from '../command-line/options.ts';
import { stateOf } from './keys.ts';

const scopesOfBi = ['queries:read', 'personal:read'];

export const biUserCommands = [
  defineCommand({
    words: 'bi-user list',
    summary: 'list the keys that can only query: the users of BI tools',
    async run({ api }) {
      const keys = await allPages(api, 'GET /v1/keys');
      const users = keys.filter(
        ({ scopes }) =>
          scopes.includes('queries:read') && scopes.every((scope) => scopesOfBi.includes(scope)),
      );
      const rows = users.map((key) => [
        key.id,
        `${key.prefix}…${key.ending}`,
        stateOf(key),
        key.scopes.includes('personal:read') ? 'yes' : 'no',
        key.comment,
      ]);
      return done({ users }, tableLines([['ID', 'PASSWORD', 'STATE', 'PERSONAL DATA', 'COMMENT'], ...rows]));
    },
  }),
  defineCommand({
    words: 'bi-user create',
    summary: 'create a read-only user of this project for a BI tool and print its password, once',
    options: {
      comment: textOption('TEXT', 'which tool it is for'),
      personal: flagOption('the tool may read personal data'),
      expires: textOption('TIME', 'when the user stops working, as RFC 3339'),
    },
    async run({ api, options: { comment, personal, expires } }) {
      const scopes = personal ? scopesOfBi : ['queries:read'];
      const body = { kind: 'administrative', comment, scopes, expires } as const;
      const { text, key } = await api.call('POST /v1/keys', { body });
      const settings = {
        user: key.projectId,
        password: text,
        database: key.projectId.replace('p-', 'project_p_'),
      };
      const lines = tableLines(Object.entries(settings).map(([name, value]) => [name, value]));
      return done({ ...settings, key }, [
        ...lines,
        `User ${key.id}, at the address of the console: the password is shown only once.`,
      ]);
    },
  }),
  defineCommand({
    words: 'bi-user revoke',
    operands: 'ID',
    summary: 'revoke a user, everywhere within a second',
    async run({ api, operands: [keyId = ''] }) {
      const key = await api.call('DELETE /v1/keys/{keyId}', { params: { keyId } });
      return done({ key }, [`User ${keyId} is revoked.`]);
    },
  }),
];
