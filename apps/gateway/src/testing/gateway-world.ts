import { request } from 'node:http';
import { zstdDecompressSync } from 'node:zlib';
import { errorCatalogue } from '@tickrate/contract';
import { type DecodedRow, readRows } from '@tickrate/events';
import { type Chunk, createConsumer, type Lane, migrateLedger } from '@tickrate/pipeline';
import { createProcessEvents, Lifecycle } from '@tickrate/platform';
import { createRegistry, migrateRegistry } from '@tickrate/registry';
import { createAnswerCheck, freshPostgres, waitUntil } from '@tickrate/testkit';
import { afterAll, expect } from 'vitest';
import { createGateway } from '../app.ts';
import { createEventDocument } from '../calls/event-operations.ts';
import { gatewayConfig } from '../config.ts';
import { levelDeclaration } from './sample-rows.ts';

/** Gateways of a test file on real databases, with a registry that declares types and a consumer of chunks. */
export interface World {
  readonly registry: ReturnType<typeof createRegistry>;
  /** A project with a key and the type `level`. */
  project(): Promise<SampleProject>;
  gateway(environment?: Record<string, string>): Promise<RunningGateway>;
  /** Resolves when the queue has delivered `count` rows of the project, in the order of their chunks. */
  rows(projectId: string, count: number): Promise<DecodedRow[]>;
  readonly chunks: readonly Chunk[];
  /** The lane of a chunk. */
  laneOf(chunkId: string): Lane | undefined;
  /** Happens once, however often it is called. */
  close(): Promise<void>;
}

export interface SampleProject {
  readonly projectId: string;
  readonly key: string;
}

export interface RunningGateway {
  readonly url: string;
  readonly operatorUrl: string;
  ready(): Promise<boolean>;
  send(call: Call): Promise<Answer>;
  /** Like a signal: resolves when everything is answered and closed. */
  stop(): Promise<string>;
}

export interface Call {
  readonly method?: string;
  /** The path after `/v1/event/`. */
  readonly path: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: what a client decodes is what these tests are about
  readonly body: any;
}

const checkAnswer = createAnswerCheck(createEventDocument());

/** A world on a new database, closed after the tests of the file. Its queue is in PostgreSQL unless `queueUrl` is given. */
export async function startWorld({ queueUrl }: { readonly queueUrl?: string } = {}) {
  const { url, run } = await freshPostgres();
  const world = await createWorld(url, queueUrl ?? url);
  afterAll(() => world.close());
  return { world, url, run };
}

async function createWorld(postgresUrl: string, queueUrl: string): Promise<World> {
  await migrateRegistry(postgresUrl);
  await migrateLedger(postgresUrl);
  const registry = createRegistry({ postgresUrl, now: Date.now, onFault: () => undefined });
  const { chunks, laneOf, consumer } = takeChunks(queueUrl);
  const running: RunningGateway[] = [];
  let closing: Promise<void> | null = null;

  async function closeAll() {
    await Promise.all(running.map((gateway) => gateway.stop()));
    await consumer.stop(2_000);
    await registry.close();
  }

  return {
    registry,
    chunks,
    laneOf,
    async project() {
      const { id: projectId } = await registry.createProject({ name: 'Kart' });
      const asked = { projectId, kind: 'public', comment: 'a build', createdBy: 'test' } as const;
      const { text: key } = await registry.createKey(asked);
      await registry.declareEventType({ projectId, name: 'level', declaration: levelDeclaration });
      return { projectId, key };
    },
    async gateway(environment = {}) {
      const gateway = await startGateway({
        PORT: '0',
        LOG_LEVEL: 'silent',
        POSTGRES_URL: postgresUrl,
        QUEUE_URL: queueUrl,
        ...environment,
      });
      running.push(gateway);
      return gateway;
    },
    async rows(projectId, count) {
      const found = () => chunks.filter((chunk) => chunk.projectId === projectId);
      const total = () => found().reduce((sum, chunk) => sum + chunk.count, 0);
      await waitUntil(() => total() >= count, { timeoutMs: 10_000, what: `${count} rows of ${projectId}` });
      return found().flatMap(rowsOf);
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** Sends requests to a gateway and checks what is true of every answer. */
export function createSender(gateway: RunningGateway) {
  async function send(call: Call): Promise<Answer> {
    const answer = await gateway.send(call);
    expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    if (answer.status === 200) return answer;
    const { code, message, fields, data } = answer.body;
    const entry = Object.entries(errorCatalogue).find(([reason]) => reason === data.reason)?.[1];
    expect([entry?.code, entry?.status]).toEqual([code, answer.status]);
    expect(typeof message).toBe('string');
    expect(fields === null || typeof fields === 'string').toBe(true);
    expect(data.requestId).toBe(answer.headers['x-request-id']);
    if (data.retryAfterSeconds !== undefined)
      expect(answer.headers['retry-after']).toBe(String(data.retryAfterSeconds));
    return answer;
  }

  async function refusal(call: Call): Promise<Record<string, unknown>> {
    const { body } = await send(call);
    return { code: body.code, ...body.data };
  }

  return { send, refusal };
}

/** Consumes and keeps every chunk. */
function takeChunks(queueUrl: string) {
  const chunks: Chunk[] = [];
  const lanes = new Map<string, Lane>();
  const consumer = createConsumer({
    queueUrl,
    shards: 1,
    concurrency: 20,
    async handle(chunk, lane) {
      lanes.set(chunk.id, lane);
      chunks.push(chunk);
    },
    handleMalformed: async (job) => Promise.reject(new Error(`a malformed job: ${job.reason}`)),
  });
  consumer.start();
  return { chunks, consumer, laneOf: (chunkId: string) => lanes.get(chunkId) };
}

function rowsOf({ frame }: Chunk): DecodedRow[] {
  return [...readRows(zstdDecompressSync(frame))];
}

async function startGateway(environment: Record<string, string>): Promise<RunningGateway> {
  const gateway = createGateway(gatewayConfig.parse(environment));
  const { health, server, operator } = gateway;
  const lifecycle = new Lifecycle({
    components: gateway.components,
    events: createProcessEvents(gateway),
    stopTimeoutMs: 10_000,
    onStarted: () => health?.markStarted(),
    onStopping: () => health?.markStopping(),
  });
  const outcome = await lifecycle.start();
  if (outcome !== 'started') throw new Error(`the gateway has ${outcome}`);
  const url = server.url();
  return {
    url,
    operatorUrl: operator.url(),
    ready: async () => (await send(url, { method: 'GET', path: '../../health/ready' })).status === 200,
    send: (call) => checkedSend(url, call),
    stop: () => lifecycle.stop('the test is over'),
  };
}

/** Every answer of the gateway must match its document. */
async function checkedSend(url: string, call: Call): Promise<Answer> {
  const answer = await send(url, call);
  const { status, headers, body } = answer;
  const contentType = headers['content-type']?.toString();
  const path = new URL(`/v1/event/${call.path}`, url).pathname;
  checkAnswer({ method: call.method ?? 'PUT', path, status, contentType, body });
  return answer;
}

/** One request on its own connection, so that no connection stays open. */
function send(url: string, { method = 'PUT', path, key, headers = {}, body }: Call): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request(`${url}/v1/event/${path}`, {
    method,
    agent: false,
    headers: { ...(key === undefined ? {} : { 'X-API-Key': key }), ...headers },
  });
  sent.on('error', reject);
  sent.on('response', (answer) => {
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => parts.push(part));
    answer.on('error', reject);
    answer.on('end', () => {
      const text = Buffer.concat(parts).toString();
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        body: text === '' ? null : JSON.parse(text),
      });
    });
  });
  sent.end(asBytes(body));
  return promise;
}

function asBytes(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}
