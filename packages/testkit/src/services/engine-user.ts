import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EngineTask, StatementOutcome } from './engine-user-main.ts';

/** A user as in ClickHouse's configuration. */
export interface EngineUser {
  /** The permissions, as in `GRANT … TO user`; the default is everything. */
  readonly grants?: string;
  /** The visible rows of tables. */
  readonly filters?: readonly { readonly table: string; readonly filter: string }[];
  /** The settings of the profile. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

export interface UserTask {
  /** The folder of the engine's data; no other process may have it open. */
  readonly folder: string;
  readonly user: EngineUser;
  readonly statements: readonly string[];
  /** The users with whose permissions views run. They run no statements themselves. */
  readonly definers?: Readonly<Record<string, EngineUser>>;
  /** Users without permissions, for statements that name them. */
  readonly known?: { readonly user: string; readonly role: string; readonly profile: string };
}

const main = fileURLToPath(new URL('./engine-user-main.ts', import.meta.url));

/**
 * Runs statements on the embedded engine with the permissions of a user, and returns the text or the code of each
 * answer. The engine creates no users, but it enforces the grants, row policies and settings of those in a
 * configuration.
 */
export async function runAsEngineUser({
  folder,
  user,
  statements,
  definers = {},
  known,
}: UserTask): Promise<StatementOutcome[]> {
  const usersFile = join(folder, 'users.xml');
  const configFile = join(folder, 'config.xml');
  await writeFile(usersFile, usersXml(user, definers, known));
  const users = `<user_directories><users_xml><path>${usersFile}</path></users_xml></user_directories>`;
  await writeFile(configFile, `<clickhouse>${users}</clickhouse>`);
  return runInChild({ folder: join(folder, 'data'), configFile, statements });
}

function runInChild(task: EngineTask): Promise<StatementOutcome[]> {
  return new Promise((resolve, reject) => {
    const child = fork(main, { execArgv: ['--no-warnings'] });
    let outcomes: StatementOutcome[] | undefined;
    child.once('message', (message: StatementOutcome[]) => {
      outcomes = message;
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (outcomes === undefined) reject(new Error(`the engine ended with ${code}`));
      else resolve(outcomes);
    });
    child.send(task);
  });
}

function usersXml(
  user: EngineUser,
  definers: Readonly<Record<string, EngineUser>>,
  known: UserTask['known'],
): string {
  const profile = Object.entries(user.settings ?? {}).map(
    ([name, value]) => `<${name}>${escaped(String(value))}</${name}>`,
  );
  const all = [['default', user] as const, ...Object.entries(definers)].map(([name, one]) =>
    userXml(name, one),
  );
  return `<clickhouse>
<profiles><default>${profile.join('')}</default><plain/>${known ? `<${known.profile}/>` : ''}</profiles>
<quotas><default></default></quotas>
<users>${all.join('\n')}
${known ? `<${known.user}><password>-</password></${known.user}>` : ''}</users>
<roles>${known ? `<${known.role}/>` : ''}</roles>
</clickhouse>`;
}

function userXml(name: string, { grants, filters = [] }: EngineUser): string {
  const rights =
    grants === undefined
      ? '<access_management>1</access_management>'
      : `<grants><query>${escaped(`GRANT ${grants}`)}</query></grants>`;
  const rows = filters.map(({ table, filter }) => {
    const [database, of] = table.split('.');
    return `<${database}><${of}><filter>${escaped(filter)}</filter></${of}></${database}>`;
  });
  return `<${name}><password></password><networks><ip>::/0</ip></networks>
<profile>${name === 'default' ? name : 'plain'}</profile><quota>default</quota>
${rights}<databases>${rows.join('')}</databases></${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
