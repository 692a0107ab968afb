/**
 * The users and roles of the engine. It signs everybody in as `default` and creates no users, but it enforces those of
 * its configuration. Customers' queries run with a role that can read only their views. The views read the events table
 * as a user with a row policy: it shows the rows of the project in whose database the query runs, which no SELECT can
 * change. `warehouse` knows the names of the roles and the user.
 */
const everything = 'tickrate_everything';
const reader = 'tickrate_reader';
const masked = 'tickrate_masked';
const rows = 'tickrate_rows';

const viewsDatabase = '^(project|masked)_p_';

/**
 * A constant when the index is used, so as fast as `project = 'p-…'`. A query in another database is not a customer's,
 * because these roles are allowed only in a database of views.
 */
const ofThisDatabase = `NOT match(currentDatabase(), '${viewsDatabase}') OR project = replaceRegexpOne(currentDatabase(), '${viewsDatabase}', 'p-')`;

/** Whether a query with these roles can read only the rows of one project, or may read all. */
export function isGuarded(roles: readonly string[], database: string | undefined): boolean {
  if (!roles.some((role) => role === reader || role === masked)) return true;
  return database !== undefined && new RegExp(viewsDatabase).test(database);
}

const databaseName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The access part of the engine's configuration. `unconfined` are the grants of every user who signs in. */
export function queryAccessXml(databases: readonly string[], unconfined: readonly string[]) {
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
    // The roles of `default`. All are active unless a request chooses one.
    granted: grants(`GRANT ${everything}, ${reader}, ${masked}`),
    // The user with whose permissions the views run.
    definer: `<${rows}><no_password/><networks><ip>::1/128</ip></networks><profile>default</profile>
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
