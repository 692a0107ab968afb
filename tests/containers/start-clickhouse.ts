import { connect, createServer } from 'node:net';
// biome-ignore lint/plugin: takes the place of the ClickHouse server, whose image cannot be pulled
import { startClickHouse } from '@tickrate/embedded';

const server = await startClickHouse({
  dataDir: '/var/lib/clickhouse',
  port: 8124,
  user: 'tickrate',
  password: process.env['CLICKHOUSE_PASSWORD'] ?? '',
  database: 'tickrate',
  onLog: (line) => process.stderr.write(`${line}\n`),
});
// The embedded engine listens on loopback only.
createServer((client) => {
  const engine = connect(server.port, '127.0.0.1');
  client.pipe(engine).pipe(client);
  client.on('error', () => engine.destroy());
  engine.on('error', () => client.destroy());
}).listen(8123, '0.0.0.0');
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
