/**
 * Who there is at the engine. It signs everybody in as `default` and makes no users, but it keeps to those of a
 * configuration. So customers' queries run with a role that may read their views and nothing else, and the views read
 * the table of events as a user whom its row policy shows the rows of one project: of the one in whose database the
 * query runs, which no SELECT can change. What the roles and the user are called is known to `warehouse`.
 */
const everything = 'tickrate_everything';
const reader = 'tickrate_reader';
const masked = 'tickrate_masked';
const rows = 'tickrate_rows';

const viewsDatabase = '^(project|masked)_p_';

/**
 * Folded before the index is looked at: as good as `project = 'p-…'`. Who asks in another database is no customer, since
 * these roles are only had in one of views.
 */
const ofThisDatabase = `NOT match(currentDatabase(), '${viewsDatabase}') OR project = replaceRegexpOne(currentDatabase(), '${viewsDatabase}', 'p-')`;

/** Whether what is run with these roles is kept to the rows of one project, or meant to see all. */
export function isGuarded(roles: readonly string[], database: string | undefined): boolean {
  if (!roles.some((role) => role === reader || role === masked)) return true;
  return database !== undefined && new RegExp(viewsDatabase).test(database);
}

const databaseName = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface AccessXml {
  readonly roles: string;
  /** Those that `default` has: all of them, as long as it is not told to have one. */
  readonly granted: string;
  /** The user whose rights the views have. */
  readonly definer: string;
}

/** For the users of the engine's configuration: `unconfined` are the statements of what whoever signs in may do. */
export function queryAccessXml(databases: readonly string[], unconfined: readonly string[]): AccessXml {
  const policies = databases.map((database) => {
    if (!databaseName.test(database)) throw new RangeError(`not the name of a database: ${database}`);
    return `<${database}><events><filter>${ofThisDatabase}</filter></events></${database}>`;
  });
  const tables = databases.map((database) => `SELECT ON ${database}.events`);
  return {
    roles: [
      role(everything, ...unconfined),
      role(reader, 'GRANT SELECT ON project_*.*'),
      role(masked, 'GRANT SELECT ON masked_*.*'),
    ].join('\n'),
    granted: grants(`GRANT ${everything}, ${reader}, ${masked}`),
    definer: `<${rows}><no_password/><networks><ip>::1/128</ip></networks><profile>default</profile><quota>default</quota>
${grants(`GRANT ${tables.join(', ')}`)}
<databases>${policies.join('\n')}</databases></${rows}>`,
  };
}

function role(name: string, ...statements: readonly string[]): string {
  return `<${name}>${grants(...statements)}</${name}>`;
}

function grants(...statements: readonly string[]): string {
  return `<grants>${statements.map((one) => `<query>${one}</query>`).join('')}</grants>`;
}
