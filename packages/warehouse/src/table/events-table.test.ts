import { eventColumns } from '@tickrate/events';
import { expect, test } from 'vitest';
import { createEventsTable } from './events-table.ts';
import { createHistory } from './migrate-warehouse.ts';

const cluster = { database: 'tickrate', cluster: "it's" };

test('on one server the events are one table with columns in the order of a row', () => {
  const [statement = '', ...others] = createEventsTable({ database: 'tickrate', cluster: null });
  expect(others).toEqual([]);
  expect(statement).toMatch(/^CREATE TABLE IF NOT EXISTS `tickrate`\.events\n/);
  expect(statement).toContain('ENGINE = ReplacingMergeTree\n');
  const inOrder = eventColumns.map(({ name }) => statement.indexOf(`\n  ${name} `));
  expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b));
  expect(inOrder).not.toContain(-1);
});

test('in a cluster the rows are replicated within a shard and distributed by event id', () => {
  const [local, distributed] = createEventsTable(cluster);
  expect(local).toMatch(/^CREATE TABLE IF NOT EXISTS `tickrate`\.events_local ON CLUSTER `it's`\n/);
  expect(local).toContain(
    "ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/tickrate/events_local', '{replica}')",
  );
  expect(distributed).toBe(
    `CREATE TABLE IF NOT EXISTS \`tickrate\`.events ON CLUSTER \`it's\` AS \`tickrate\`.events_local
ENGINE = Distributed('it\\'s', 'tickrate', 'events_local', cityHash64(event_id))`,
  );
});

test('a replicated table keeps tokens for a week', () => {
  const [local] = createEventsTable(cluster);
  expect(local).toContain('replicated_deduplication_window = 10000');
  expect(local).toContain('replicated_deduplication_window_seconds = 604800');
});

test('every node of a cluster knows the migrations that have run', () => {
  const [database, table] = createHistory(cluster);
  expect(database).toBe("CREATE DATABASE IF NOT EXISTS `tickrate` ON CLUSTER `it's`");
  expect(table).toContain(
    "ReplicatedReplacingMergeTree('/clickhouse/tables/tickrate/migrations', '{shard}-{replica}')",
  );
});
