import { randomBytes } from 'node:crypto';
import { makeSignInLink, readAddress } from '@tickrate/accounts';
import { createPostgres } from '@tickrate/postgres';
import { done, refused, wrongUse } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { textOption } from '../command-line/options.ts';
import { findStores } from './find-stores.ts';

// A caller with access to the database can already do everything. The link only replaces typing a password.
export const signInLinkCommand = defineCommand({
  words: 'sign-in-link',
  summary: 'print a link that signs an administrator in at the console, once and within ten minutes',
  options: {
    email: textOption('ADDRESS', 'the administrator; the default is the owner of the installation'),
  },
  async run({ folder, values, place, now, options: { email } }) {
    if (place.console === null) throw wrongUse('Give the address of the console with --url URL');
    const folded = email === undefined ? null : readAddress(email).folded;
    // The next call reports a fault of an idle connection.
    const onFault = () => undefined;
    const { postgresUrl } = findStores(folder, values);
    const accounts = createPostgres({ postgresUrl, maxConnections: 1, onFault });
    try {
      const link = await makeSignInLink(accounts, { folded, consoleUrl: place.console, now, randomBytes });
      if (link === null) throw refused(`There is no administrator ${email ?? ''}`.trim());
      const { url, emailAddress, expiresMs } = link;
      const expires = new Date(expiresMs).toISOString();
      return done({ url, emailAddress, expires }, [url, `Signs ${emailAddress} in once, until ${expires}`]);
    } finally {
      await accounts.close();
    }
  },
});
