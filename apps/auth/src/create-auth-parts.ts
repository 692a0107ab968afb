import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Accounts, type AccountsDeps, createAccounts } from '@tickrate/accounts';
import { createRecordId } from '@tickrate/contract';
import { createErasures, createQuarantine } from '@tickrate/pipeline';
import { ConfigFault, createSecretBox, createSecretBoxOf, type SecretBox } from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry, createRegistryCache } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';
import { createAccountEvents } from './account-events.ts';
import type { AuthEvents } from './auth-events.ts';
import type { AuthValues } from './config.ts';
import { createInvitationMails, createSecurityMails } from './mail/due-mails.ts';
import { createMailFlows } from './mail/mail-flows.ts';
import { createWriteMail, readMailTemplates, type WriteMail } from './mail/mail-texts.ts';
import { createMailer, type Mailer } from './mail/mailer.ts';
import { createPasswordHasher, hashesAtOnce } from './passwords/password-hasher.ts';
import { createTokenVerifier } from './providers/token-verifier.ts';
import { createKeyring } from './sign-in/keyring.ts';
import type { AuthContext } from './sign-in/sign-in.ts';

/** What auth is made of. `app.ts` starts and stops it. */
export type AuthParts = ReturnType<typeof createAuthParts>;

export function createAuthParts(values: AuthValues, events: AuthEvents, now: () => number) {
  const { postgresUrl } = values;
  const keyring = createKeyring(values.authSecret);
  const sealer = createSecretBoxOf(values.secretsKey);
  const onFault = (error: unknown) => events.dependencyFault('postgres', error);
  const db = createPostgres({ postgresUrl, name: 'tickrate-auth', maxConnections: 20, onFault });
  const newId = () => createRecordId(now(), randomBytes);
  const hasher = events.whenBusy(
    createPasswordHasher({
      pepper: keyring.pepper,
      memoryKiB: values.hashMemoryKib,
      passes: values.hashPasses,
      parallelism: 1,
      atOnce: hashesAtOnce(availableParallelism(), values.hashThreads),
      queueLimit: 200,
    }),
  );
  const accounts = createAccounts({
    db,
    keyring,
    now,
    randomBytes,
    newId,
    box: createSecretBox(keyring.boxKey),
    verifyPassword: hasher.verify,
  });
  const context: AuthContext = { accounts, keyring, now, randomBytes };
  const mailer = createMailerOf(values, accounts, sealer);
  const mailing = {
    send: mailer.send,
    write: createWriteMailOf(values),
    onFault: (error: unknown) => events.dependencyFault('mail', error),
  };
  return {
    db,
    accounts,
    context,
    hasher,
    mailer,
    mails: createMailFlows({ ...mailing, accounts, hasher, adminSignup: values.adminSignup }),
    events,
    sealer,
    invitations: createInvitationMails(accounts, { ...mailing, consoleUrl: values.consoleUrl }),
    securityMails: createSecurityMails(accounts, mailing),
    verifier: createTokenVerifier({
      deviceSecrets: { find: accounts.tokens.findDeviceSecret },
      spentTokens: accounts.tokens.spent,
      development: values.development,
      now,
      onFault: (error, provider) => events.dependencyFault(provider, error),
      onVerdict: events.tokenVerdict,
    }),
    cache: createRegistryCache({ postgres: db, now, onFault }),
    registry: createRegistry({ postgres: db, now, sealer }),
    eventStores: createEventStores(values, { db, newId, now }),
  };
}

/** The stores of an account's events, for exports and for the progress of an erasure. */
function createEventStores(
  { clickhouseUrl, clickhouseDatabase: database, clickhouseCluster: cluster }: AuthValues,
  { db: postgres, newId, now }: Pick<AccountsDeps, 'db' | 'newId' | 'now'>,
) {
  const warehouse = clickhouseUrl === null ? null : createWarehouse({ clickhouseUrl, database, cluster });
  const quarantine = createQuarantine({ postgres });
  return {
    events: createAccountEvents({ warehouse, quarantine }, now),
    erasures: createErasures({ postgres, newId }),
    close: async () => warehouse?.close(),
  };
}

function createMailerOf(
  { smtpUrl, mailFrom: from, development }: AuthValues,
  { mails }: Accounts,
  sealer: SecretBox,
): Mailer {
  return createMailer({
    smtpUrl,
    from,
    development,
    outbox: {
      put: ({ realm, accountId, to, subject, text }) =>
        mails.putInOutbox(realm, { accountId, to, subject, body: sealer.seal(text, 'outbox') }),
    },
  });
}

/** Faults of templates are faults of the configuration: reported before anything connects. */
function createWriteMailOf({ mailTemplates }: AuthValues): WriteMail {
  const { templates, faults } = readMailTemplates(mailTemplates);
  if (faults.length > 0) throw new ConfigFault(faults.map((fault) => ({ name: 'MAIL_TEMPLATES', fault })));
  return createWriteMail(templates);
}
