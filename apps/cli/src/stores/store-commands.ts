import { randomBytes } from 'node:crypto';
import { makeSignInLink, migrateAuth, readAddress } from '@tickrate/accounts';
import { personalScope } from '@tickrate/contract';
import { migrateLedger, migrateQueue } from '@tickrate/pipeline';
import { createPostgres, type Postgres } from '@tickrate/postgres';
import { createRegistry, migrateRegistry } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';
import { done, refused, wrongUse } from '../command-line/command.ts';
import { type CommandContext, defineCommand } from '../command-line/define-command.ts';
import { textOption } from '../command-line/options.ts';
import { findStores, type Stores } from './find-stores.ts';

// Part of URLs, so letters and digits only.
const secretNames = [
  'POSTGRES_PASSWORD',
  'CLICKHOUSE_PASSWORD',
  'VALKEY_PASSWORD',
  'AUTH_SECRET',
  'SECRETS_KEY',
];

/** The commands that need no API: they create what it requires, or open the databases. */
export const storeCommands = [
  defineCommand({
    words: 'secrets create',
    summary: 'print new passwords and secrets for the .env of docker-compose.yml',
    async run() {
      const secrets = secretNames.map((name) => [name, randomBytes(24).toString('hex')] as const);
      return done(
        Object.fromEntries(secrets),
        secrets.map(([name, secret]) => `${name}=${secret}`),
      );
    },
  }),
  defineCommand({
    words: 'migrate',
    summary: 'migrate PostgreSQL, the queue and ClickHouse to this version',
    async run({ folder, values }) {
      const stores = findStores(folder, values);
      await Promise.all([migratePostgres(stores), migrateClickHouse(stores, values.clickhouseCluster)]);
      const migrated = stores.clickhouseUrl === null ? ['PostgreSQL'] : ['PostgreSQL', 'ClickHouse'];
      return done({ migrated }, [`${migrated.join(' and ')}: up to date`]);
    },
  }),
  // Sign-in requires a public key, and only a signed-in administrator can create one. This command creates the first one.
  defineCommand({
    words: 'first-project',
    operands: 'NAME',
    summary: 'create the first project of an empty installation, with its keys',
    async run({ operands: [name = ''], ...context }) {
      const { projectId, keys } = await withPostgres(context, (postgres) =>
        createFirstProject(postgres, name),
      );
      return done({ projectId, name, keys }, [
        `Project ${projectId} (${name})`,
        `  public key          ${keys.public}`,
        `  administrative key  ${keys.administrative}`,
        'Keep the keys: they are shown only once.',
      ]);
    },
  }),
  // A caller with access to the database can already do everything. The link only replaces typing a password.
  defineCommand({
    words: 'sign-in-link',
    summary: 'print a link that signs an administrator in at the console, once and within ten minutes',
    options: {
      email: textOption('ADDRESS', 'the administrator; the default is the owner of the installation'),
    },
    async run({ place: { console: consoleUrl }, now, options: { email }, ...context }) {
      if (consoleUrl === null) throw wrongUse('Give the address of the console with --url URL');
      const folded = email === undefined ? null : readAddress(email).folded;
      const link = await withPostgres(context, (accounts) =>
        makeSignInLink(accounts, { folded, consoleUrl, now, randomBytes }),
      );
      if (link === null) throw refused(`There is no administrator ${email ?? ''}`.trim());
      const { url, emailAddress, expiresMs } = link;
      const expires = new Date(expiresMs).toISOString();
      return done({ url, emailAddress, expires }, [url, `Signs ${emailAddress} in once, until ${expires}`]);
    },
  }),
];

async function migratePostgres({ postgresUrl, queueUrl }: Stores): Promise<void> {
  await Promise.all([
    migrateRegistry(postgresUrl),
    migrateAuth(postgresUrl),
    migrateLedger(postgresUrl),
    migrateQueue(queueUrl),
  ]);
}

/** Also creates a dropped table of events again. No app does this by itself. */
async function migrateClickHouse(
  { clickhouseUrl, clickhouseDatabase: database }: Stores,
  cluster: string | null,
): Promise<void> {
  if (clickhouseUrl === null) return;
  const warehouse = createWarehouse({ clickhouseUrl, database, cluster });
  try {
    await warehouse.migrate({ restoreMissing: true });
  } finally {
    await warehouse.close();
  }
}

async function withPostgres<T>(
  { folder, values }: Pick<CommandContext, 'folder' | 'values'>,
  work: (postgres: Postgres) => Promise<T>,
): Promise<T> {
  const { postgresUrl } = findStores(folder, values);
  // The next call reports a fault of an idle connection.
  const postgres = createPostgres({ postgresUrl, maxConnections: 1, onFault: () => undefined });
  try {
    return await work(postgres);
  } finally {
    await postgres.close();
  }
}

async function createFirstProject(postgres: Postgres, name: string) {
  const registry = createRegistry({ postgres, now: Date.now });
  try {
    const [present] = await registry.projects();
    if (present !== undefined) throw refused(`There is a project already: ${present.id} (${present.name})`);
    // A project without keys would bar the way to another one.
    return await postgres.transaction(async (tx) => {
      const inside = registry.inTransaction(tx);
      const { id: projectId } = await inside.createProject({ name });
      const made = { projectId, createdBy: 'tickrate' };
      const forGames = await inside.createKey({ ...made, kind: 'public', comment: 'For game builds' });
      const forTools = await inside.createKey({
        ...made,
        kind: 'administrative',
        comment: 'For servers and tools',
        scopes: ['all:write', personalScope],
      });
      return { projectId, keys: { public: forGames.text, administrative: forTools.text } };
    });
  } finally {
    await registry.close();
  }
}
