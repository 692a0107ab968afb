// biome-ignore-all lint/plugin: what others write by hand with Express is compared with the product
/**
 * What a team writes by hand in a day: `gateway` takes events by HTTP, `worker` stores them. Settings are a JSON object
 * in the second argument.
 *
 * - `async`: the gateway inserts each event, and ClickHouse gathers them (`async_insert`)
 * - `jobs`: the gateway adds a job for each event to BullMQ on Redis, and the worker inserts each with a statement
 * - `gathered`: the same, but the worker inserts the rows of up to 1,000 jobs, or of half a second, together
 */
import { randomUUID } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Queue, Worker } from 'bullmq';
import express from 'express';
import { Redis } from 'ioredis';
import { sampleType } from './sample-events.ts';

export interface ByHandSettings {
  readonly kind: 'async' | 'jobs' | 'gathered';
  readonly port: number;
  readonly apiKey: string;
  readonly clickhouseUrl: string;
  readonly redisUrl: string;
}

interface Row {
  readonly id: string;
  readonly at: string;
  readonly event: unknown;
}

const [role = '', text = '{}'] = process.argv.slice(2);
const settings: ByHandSettings = JSON.parse(text);
const clickhouse = createClient({ url: settings.clickhouseUrl, max_open_connections: 20 });
const connection = new Redis(settings.redisUrl, { maxRetriesPerRequest: null });

if (role === 'gateway') startGateway();
else startWorker();

function startGateway(): void {
  const ajv = new Ajv2020({
    formats: {
      uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
      'date-time': (text) => !Number.isNaN(Date.parse(text)),
    },
  });
  const { 'x-occurred-at': _, ...ended } = sampleType.declaration.properties.ended;
  const properties = { ...sampleType.declaration.properties, ended };
  const isValid = ajv.compile({ ...sampleType.declaration, properties });
  const queue = new Queue<Row>('events', { connection });
  const kept = { removeOnComplete: true, attempts: 100, backoff: { type: 'fixed', delay: 1_000 } };
  const app = express();
  app.use(express.json({ limit: '1mb' }));
  app.put('/insert', async (request, response) => {
    if (request.header('X-API-Key') !== settings.apiKey) {
      response.status(401).json({ error: 'unknown key' });
      return;
    }
    if (!isValid(request.body)) {
      response.status(400).json({ errors: isValid.errors });
      return;
    }
    const row = { id: randomUUID(), at: new Date().toISOString(), event: request.body };
    await (settings.kind === 'async' ? insert([row]) : queue.add('event', row, kept));
    response.json(true);
  });
  app.listen(settings.port, '127.0.0.1', () => process.send?.('ready'));
}

function startWorker(): void {
  const store = settings.kind === 'gathered' ? createGatherer() : (row: Row) => insert([row]);
  const concurrency = settings.kind === 'gathered' ? 1_000 : 50;
  const worker = new Worker<Row>('events', ({ data }) => store(data), { connection, concurrency });
  worker.once('ready', () => process.send?.('ready'));
}

/** Resolves once the statement with the row is done. */
function createGatherer(): (row: Row) => Promise<void> {
  let rows: Row[] = [];
  let stored: Promise<void> | null = null;
  let flushNow: () => void = () => undefined;
  return (row) => {
    rows.push(row);
    stored ??= new Promise<void>((resolve) => {
      flushNow = resolve;
      setTimeout(resolve, 500);
    }).then(() => {
      const batch = rows;
      rows = [];
      stored = null;
      return insert(batch);
    });
    if (rows.length >= 1_000) flushNow();
    return stored;
  };
}

async function insert(rows: readonly Row[]): Promise<void> {
  await clickhouse.insert({
    table: 'by_hand',
    values: rows,
    format: 'JSONEachRow',
    clickhouse_settings: {
      date_time_input_format: 'best_effort',
      ...(settings.kind === 'async' && { async_insert: 1, wait_for_async_insert: 1 }),
    },
  });
}
