import { createFleet, createQueueMonitor, readRedisFacts } from '@tickrate/pipeline';
import { ConfigFault, settleWithin } from '@tickrate/platform';
import { readPostgresFacts } from '@tickrate/postgres';
import { createWarehouse, type Warehouse } from '@tickrate/warehouse';
import type { CliValues } from '../config.ts';
import type { Stores } from '../stores/find-stores.ts';
import { checkRedis } from './check-redis.ts';
import { checkDisk, checkServer } from './check-server.ts';
import { bad, checkClock, type Finding, good, reasonOf, timeoutMs, warning } from './finding.ts';

const oldestPostgres = 150_000;
const fewConnections = 60;

export async function checkPostgres(postgresUrl: string, nowMs: () => number): Promise<Finding[]> {
  try {
    const facts = await readPostgresFacts(postgresUrl, timeoutMs);
    const version = `${Math.floor(facts.version / 10_000)}.${facts.version % 10_000}`;
    const isDurable = facts.fsync && facts.fullPageWrites && facts.synchronousCommit !== 'off';
    return [
      facts.version >= oldestPostgres
        ? good('PostgreSQL', version)
        : bad('PostgreSQL', version, 'Upgrade it to 15 or newer'),
      isDurable
        ? good('PostgreSQL durability', 'what is committed survives a power cut')
        : bad(
            'PostgreSQL durability',
            `fsync ${facts.fsync}, full_page_writes ${facts.fullPageWrites}, synchronous_commit ${facts.synchronousCommit}`,
            'Set all three to on: accepted events could be lost',
          ),
      facts.maxConnections >= fewConnections
        ? good('PostgreSQL connections', `${facts.maxConnections}`)
        : warning(
            'PostgreSQL connections',
            `${facts.maxConnections}`,
            `Set max_connections to ${fewConnections} or more`,
          ),
      checkClock('PostgreSQL clock', facts.clockMs - nowMs()),
    ];
  } catch (error) {
    return [bad('PostgreSQL', reasonOf(error), 'Start it, or mend POSTGRES_URL')];
  }
}

export async function checkQueue(
  { queueUrl }: Stores,
  { queueShards: shards }: CliValues,
  nowMs: () => number,
): Promise<Finding[]> {
  const isRedis = /^rediss?:/.test(queueUrl);
  const monitor = createQueueMonitor({ queueUrl, shards });
  try {
    // Checked first, because it fails at once if the server does not listen.
    const redis = (await readRedisFacts(queueUrl, timeoutMs)).flatMap((facts) => checkRedis(facts, nowMs()));
    await monitor.start();
    const late = () => new Error(`The queue did not answer within ${timeoutMs} ms`);
    const pending = await settleWithin(timeoutMs, monitor.pending(), late);
    const waiting = [...pending.byProject.values()].reduce((sum, events) => sum + events, 0);
    return [...redis, good('Queue', `${isRedis ? 'Redis' : 'PostgreSQL'}, ${waiting} events wait`)];
  } catch (error) {
    const start =
      error instanceof ConfigFault ? '' : `Start ${isRedis ? 'Redis' : 'PostgreSQL'}, or mend QUEUE_URL`;
    return [bad('Queue', reasonOf(error), start || 'Name single Redis servers in QUEUE_URL, or PostgreSQL')];
  } finally {
    await monitor.stop();
  }
}

const silentMs = 60_000;

/** Empty if PostgreSQL cannot say it: then another finding does. */
export async function checkWorkers(postgresUrl: string, nowMs: () => number): Promise<Finding[]> {
  const fleet = createFleet({ postgresUrl, maxConnections: 1, timeoutMs });
  try {
    const seen = (await fleet.workers()).filter(({ seenMs }) => nowMs() - seenMs < silentMs);
    if (seen.length > 0) return [good('Workers', `${seen.length} reported within a minute`)];
    return [bad('Workers', 'none reported within a minute', 'Start one: accepted events wait in the queue')];
  } catch {
    return [];
  } finally {
    await fleet.close();
  }
}

const slowingParts = 1_000;

export async function checkClickHouse(
  { clickhouseUrl, clickhouseDatabase: database }: Stores,
  values: CliValues,
  nowMs: () => number,
): Promise<Finding[]> {
  if (clickhouseUrl === null)
    return [warning('ClickHouse', 'no address', 'Set CLICKHOUSE_URL, or run `npm start`')];
  const warehouse = createWarehouse({
    clickhouseUrl,
    database,
    cluster: values.clickhouseCluster,
    queryTimeoutMs: timeoutMs,
  });
  try {
    const ping = await warehouse.ping();
    if (!ping.ok) return [unreached(ping.code)];
    const [clock] = await warehouse.query<{ ms: string }>('SELECT toUnixTimestamp64Milli(now64(3)) AS ms');
    return [
      good('ClickHouse', ping.version),
      checkClock('ClickHouse clock', Number(clock?.ms) - nowMs()),
      ...checkServer(await warehouse.serverFacts()),
      ...(await checkEvents(warehouse, { database, reserveBytes: values.diskReserveBytes })),
      await checkUsers(warehouse),
    ];
  } catch (error) {
    return [bad('ClickHouse events', reasonOf(error), 'Run `npm run tickrate -- migrate`')];
  } finally {
    await warehouse.close();
  }
}

const authenticationFailed = '516';

function unreached(code: string): Finding {
  return code === authenticationFailed
    ? bad('ClickHouse', 'refuses the user or the password', 'Mend them in CLICKHOUSE_URL')
    : bad('ClickHouse', code, 'Start it, or mend CLICKHOUSE_URL');
}

async function checkUsers(warehouse: Warehouse): Promise<Finding> {
  const hindrance = await warehouse.findQueryHindrance();
  return hindrance === null
    ? good('ClickHouse queries', 'see the rows of their project alone')
    : bad('ClickHouse queries', `do not run: ${hindrance}`, 'See docs/queries.md');
}

async function checkEvents(
  warehouse: Warehouse,
  { database, reserveBytes }: { readonly database: string; readonly reserveBytes: number },
): Promise<Finding[]> {
  const [table] = await warehouse.query<{ made: string }>(
    "SELECT create_table_query AS made FROM system.tables WHERE database = {database:String} AND name IN ('events', 'events_local') ORDER BY name DESC",
    { parameters: { database } },
  );
  if (table === undefined) return [bad('ClickHouse events', 'no table', 'Run `npm run tickrate -- migrate`')];
  const { partsOfFullestPartition: parts } = await warehouse.status();
  const disk = await warehouse.diskLevel();
  const isRemembering = /deduplication_window = [1-9]/.test(table.made);
  return [
    isRemembering
      ? good('ClickHouse repeats', 'repeated inserts are known again')
      : bad(
          'ClickHouse repeats',
          'the events table does not recognise repeated inserts',
          'Run `npm run tickrate -- migrate`',
        ),
    parts < slowingParts
      ? good('ClickHouse parts', `${parts}`)
      : warning(
          'ClickHouse parts',
          `${parts}`,
          'ClickHouse slows inserts down from 1,000 parts: check for a slow disk',
        ),
    checkDisk(disk, { reserveBytes, bytesOfDay: await warehouse.bytesOfDay() }),
  ];
}
