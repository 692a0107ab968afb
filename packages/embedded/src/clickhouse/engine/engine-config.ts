import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROCESSES } from '../sql/process-reads.ts';
import { REPLACED_FUNCTIONS, SHOWN_ROWS } from '../sql/system-tables.ts';
import { ID_SETTING } from './engine.ts';
import { queryAccessXml } from './query-access.ts';

/**
 * Permissions that the server's user lacks. The engine is a library that can access every file of this process and run
 * programs. A server confines that to folders, but this engine has no setting for it.
 */
const REVOKED = [
  'READ, WRITE ON FILE',
  'READ, WRITE ON SQLITE',
  // The source of a dictionary may be a file, a library or a program.
  'CREATE DICTIONARY ON *.*',
  // These start a program.
  'READ, WRITE ON ODBC',
  'READ, WRITE ON JDBC',
  ...['File', 'SQLite', 'ODBC', 'JDBC', 'IcebergLocal', 'DeltaLakeLocal', 'PaimonLocal'].map(
    (engine) => `TABLE ENGINE ON ${engine}`,
  ),
];

/** Settings that name a file which a format reads or writes, and those that contain SQL, or change its language. */
const FIXED_SETTINGS = [
  'format_schema',
  'format_template_row',
  'format_template_resultset',
  'input_format_record_errors_file_path',
  'output_format_schema',
  'rename_files_after_processing',
  'dynamic_disk_allow_from_env',
  'dynamic_disk_allow_include',
  'additional_result_filter',
  'additional_table_filters',
  'dialect',
];

/**
 * Keeps the sources of a merge until a failed write of the merged part is detected (disk-guard.ts), and longer than any
 * query runs: the query engine reads the same files. By default this engine removes them at once. Longer costs the query
 * engine, which lists all parts each second. A table opens without its broken parts, however many there are.
 */
const MERGE_TREE =
  '<merge_tree><old_parts_lifetime>60</old_parts_lifetime><max_suspicious_broken_parts>1000000</max_suspicious_broken_parts>' +
  '<max_suspicious_broken_parts_bytes>1000000000000000</max_suspicious_broken_parts_bytes></merge_tree>';

/** How often the engine compares what it uses with its limit. The default is 50 ms, which costs as much as all else when idle. */
const MEMORY = '<memory_worker_period_ms>500</memory_worker_period_ms>';

export interface EngineData {
  readonly dataFolder: string;
  /** The databases whose tables of events customers may query. */
  readonly eventDatabases: readonly string[];
  /** The id of the server's own statements. */
  readonly ownId: string;
  /** The disk of another server, which cannot be written to. */
  readonly readsFolder?: string;
}

/** Writes the engine's configuration into `folder`, and its further files into the engine's data. Returns its path. */
export function writeEngineConfig(folder: string, data: EngineData): string {
  const { dataFolder } = data;
  const functions = join(dataFolder, 'user_defined');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  mkdirSync(functions, { recursive: true });
  // No permission protects a function. One of the same name in this folder replaces it everywhere, and cannot be dropped,
  // because its name is that of a system function.
  for (const [name, body] of Object.entries(REPLACED_FUNCTIONS))
    writeFileSync(join(functions, `function_${name}.sql`), `CREATE FUNCTION ${name} AS ${body}\n`);
  const usersFile = join(folder, 'users.xml');
  const configFile = join(folder, 'config.xml');
  writeFileSync(usersFile, usersXml(data));
  writeFileSync(
    configFile,
    `<clickhouse>${MERGE_TREE}${MEMORY}<user_directories><users_xml><path>${escaped(usersFile)}</path></users_xml></user_directories>${diskXml(data)}</clickhouse>\n`,
  );
  return configFile;
}

function diskXml({ readsFolder }: EngineData): string {
  if (readsFolder === undefined) return '';
  return `<storage_configuration><disks><first>
<type>object_storage</type><object_storage_type>local</object_storage_type><metadata_type>plain</metadata_type>
<path>${escaped(readsFolder)}/</path><readonly>true</readonly>
</first></disks></storage_configuration>`;
}

/** The table of processes shows its rows only to statements with the id of the server. The file does not contain it. */
function shownXml(ownId: string): string {
  const hash = createHash('sha256').update(ownId).digest('hex').toUpperCase();
  const filters = { ...SHOWN_ROWS, [PROCESSES]: `hex(SHA256(getSetting('${ID_SETTING}'))) = '${hash}'` };
  const tables = Object.entries(filters).map(
    ([table, filter]) => `<${table}><filter>${escaped(filter)}</filter></${table}>`,
  );
  return `<databases><system>${tables.join('')}</system></databases>`;
}

function usersXml({ eventDatabases, ownId }: EngineData): string {
  const fixed = FIXED_SETTINGS.map((name) => `<${name}><const/></${name}>`).join('');
  const statements = ['GRANT ALL ON *.* WITH GRANT OPTION', ...REVOKED.map((right) => `REVOKE ${right}`)];
  const { roles, granted, definer } = queryAccessXml(eventDatabases, statements);
  return `<clickhouse>
<profiles><default><constraints>${fixed}</constraints></default></profiles>
<quotas><default></default></quotas>
<users><default><password></password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
${granted}${shownXml(ownId)}</default>
${definer}</users>
<roles>${roles}</roles>
</clickhouse>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
