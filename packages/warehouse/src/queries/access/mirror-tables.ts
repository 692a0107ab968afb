import { setTimeout as delay } from 'node:timers/promises';
import type { Call, ClickHouse } from '../../clickhouse.ts';
import { quoteIdentifier, quoteString } from '../../quote.ts';
import type { WarehousePlace } from '../../table/events-table.ts';
import { WarehouseFault } from '../../warehouse-fault.ts';

export interface MirrorTablesDeps {
  /** The server that stores the events. */
  readonly source: ClickHouse;
  /** The server that runs queries. It reads the files of the source and never writes them. */
  readonly target: ClickHouse;
  readonly place: WarehousePlace;
  readonly timeoutMs: number;
  /** After this time without a query, longer than one runs, the target no longer follows the files. */
  readonly idleMs: number;
}

interface StoredTable {
  readonly name: string;
  readonly statement: string;
  readonly uuid: string;
}

/**
 * Creates on the target what queries read: the table of events, over the files of the source, and the views of one
 * database. It keeps no state, so the next query fills a target that started empty. Throws a WarehouseFault.
 */
export function createMirrorTables(deps: MirrorTablesDeps): (viewDatabase: string) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let rest: NodeJS.Timeout | undefined;
  // A dashboard sends several queries at once. Waiting queries share one check of both servers.
  const waiting = new Map<string, Promise<void>>();
  return (viewDatabase) => {
    const shared = waiting.get(viewDatabase);
    if (shared !== undefined) return shared;
    // Runs one at a time, because two queries must not create the same missing table.
    const mirrored = last.then(() => {
      waiting.delete(viewDatabase);
      return mirror(deps, viewDatabase);
    });
    clearTimeout(rest);
    rest = setTimeout(() => {
      last = last.then(() => detachEvents(deps)).catch(() => undefined);
    }, deps.idleMs).unref();
    waiting.set(viewDatabase, mirrored);
    last = mirrored.catch(() => undefined);
    return mirrored;
  };
}

async function mirror({ source, target, place, timeoutMs }: MirrorTablesDeps, views: string) {
  const call = { timeoutMs };
  const wanted = { place, views, call };
  const [there, here] = await Promise.all([listTables(source, wanted), listTables(target, wanted)]);
  await mirrorEvents(target, { place, call, there: there.events, here: here.events });
  await followRemovals(source, target, { place, call });
  const missing = there.views.filter(
    (view) => here.views.find(({ name }) => name === view.name)?.statement !== view.statement,
  );
  if (missing.length === 0) return;
  await target.command(`CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(wanted.views)}`, call);
  while (missing.length > 0) {
    const next = missing.splice(0, createdAtOnce);
    await Promise.all(
      next.map(({ statement }) =>
        target.command(statement.replace(/^CREATE VIEW /, 'CREATE OR REPLACE VIEW '), call),
      ),
    );
  }
}

const createdAtOnce = 8;

interface Wanted {
  readonly place: WarehousePlace;
  readonly views: string;
  readonly call: Call;
}

interface Found {
  readonly events: StoredTable | undefined;
  readonly views: readonly StoredTable[];
}

async function listTables(server: ClickHouse, { place, views, call }: Wanted): Promise<Found> {
  const rows = await server.rows<StoredTable & { database: string }>(
    `SELECT database, name, create_table_query AS statement, toString(uuid) AS uuid
FROM system.tables
WHERE (database = {views:String} AND engine = 'View') OR (database = {stored:String} AND name = 'events')`,
    { ...call, parameters: { views, stored: place.database } },
  );
  return {
    events: rows.find(({ database, name }) => database === place.database && name === 'events'),
    views: rows.filter(({ database }) => database === views),
  };
}

interface EventsMirror {
  readonly place: WarehousePlace;
  readonly call: Call;
  readonly there: StoredTable | undefined;
  readonly here: StoredTable | undefined;
}

/** A definition that changes meanwhile is read after the next start of the target, which starts empty. */
async function mirrorEvents(target: ClickHouse, { place, call, there, here }: EventsMirror): Promise<void> {
  if (there === undefined) throw new WarehouseFault('no events table', { code: '60', transient: true });
  if (here !== undefined) return;
  const database = quoteIdentifier(place.database);
  await target.command(`CREATE DATABASE IF NOT EXISTS ${database}`, call);
  // Without a definition it attaches only a table that was detached.
  await target
    .command(`ATTACH TABLE ${database}.events`, call)
    .catch(() => target.command(readingStatement(there, `${database}.events`), call));
}

/** A query must not see what was removed before it began: waits until the target has read the rewritten parts. */
async function followRemovals(
  source: ClickHouse,
  target: ClickHouse,
  { place, call }: { place: WarehousePlace; call: Call },
): Promise<void> {
  const ofEvents = `database = ${quoteString(place.database)} AND table = 'events'`;
  const lastRemoval = `SELECT max(arrayMax(block_numbers.number)) AS version FROM system.mutations WHERE ${ofEvents} AND is_done`;
  const [removed] = await source.rows<{ version: string }>(lastRemoval, call);
  const outdated = `SELECT 1 FROM system.parts WHERE ${ofEvents} AND active AND data_version < ${Number(removed?.version)} LIMIT 1`;
  const deadline = performance.now() + call.timeoutMs;
  while ((await target.rows(outdated, call)).length > 0) {
    if (performance.now() > deadline) {
      throw new WarehouseFault('removed events are still visible', { code: 'MIRROR', transient: true });
    }
    await delay(50);
  }
}

/**
 * Following the files costs more the more parts they contain, whether or not anybody queries. The table is never dropped:
 * that would remove its files.
 */
async function detachEvents({ target, place, timeoutMs }: MirrorTablesDeps): Promise<void> {
  await target.command(`DETACH TABLE IF EXISTS ${quoteIdentifier(place.database)}.events`, { timeoutMs });
}

/** The interval in seconds at which the engine looks for new parts, so the delay until a query sees stored events. */
const refreshSeconds = 1;

/** The disk over the first server's data in the engine's configuration. The UUID is the folder of the table. */
const disk = 'first';

function readingStatement({ statement, uuid }: StoredTable, name: string): string {
  const columns = /^CREATE TABLE \S+\s*(\(.*\)\s*ENGINE = .*?)(?:\sSETTINGS .*)?$/s.exec(
    statement.replace(/\sCOMMENT '(?:[^'\\]|\\.)*'$/s, ''),
  )?.[1];
  if (columns === undefined) {
    const message = 'the events table cannot be read from its files';
    throw new WarehouseFault(message, { code: 'MIRROR', transient: true });
  }
  return `ATTACH TABLE ${name} UUID ${quoteString(uuid)} ${columns}
SETTINGS disk = ${quoteString(disk)}, refresh_parts_interval = ${refreshSeconds}`;
}
