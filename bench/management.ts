import { randomBytes } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import { migrateAuth } from '@tickrate/accounts';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry } from '@tickrate/registry';
import { findFreePort } from '@tickrate/testkit';
import { Agent, request } from 'undici';
import { startApp, untilReady } from '../tests/event-path/app-process.ts';
import { type Bench, percentile, takeRounds } from './bench.ts';
import { sampleEvent, sampleType } from './sample-events.ts';
import { onStack, type Stack } from './stack.ts';

const rounds = 3;
const callsPerSecond = 200;
const measuredMs = 10_000;
const promisedCallMs = 50;
const promisedReachMs = 1_000;
const revocations = 40;

/** A mix of calls, one in twelve of which writes, on a project with 200 keys, 200 event types and 100,000 players. */
export const managementLatency: Bench = {
  name: 'management.latency',
  unit: 'ms (p99)',
  against: 'the promised 50 ms at 200 calls a second',
  target: 1,
  better: 'lower',
  run: (report) =>
    onConsole(async (console) => {
      await console.fill(200);
      await load(console, mix, 2_000);
      return takeRounds(rounds, async (round) => {
        const nothing = percentile(await load(console, [['GET', '/health/live']], measuredMs / 2), 0.99);
        const delaysMs = await load(console, mix, measuredMs);
        const value = percentile(delaysMs, 0.99);
        const median = percentile(delaysMs, 0.5);
        report(
          `round ${round}: p99 ${value.toFixed(1)} ms, median ${median.toFixed(1)} ms; of calls that do nothing p99 ${nothing.toFixed(1)} ms`,
        );
        return { value, limit: promisedCallMs };
      });
    }),
};

/** From the answer to a revocation until two gateways that knew the key refuse it. */
export const managementReach: Bench = {
  name: 'management.reach',
  unit: 'ms (slowest)',
  against: 'the promised second until a change is in force on every gateway',
  target: 1,
  better: 'lower',
  run: (report) =>
    onConsole((console) =>
      takeRounds(rounds, async (round) => {
        const delaysMs: number[] = [];
        for (let each = 0; each < revocations; each++) delaysMs.push(await console.revoke());
        const value = Math.max(...delaysMs);
        report(
          `round ${round}: slowest ${value.toFixed(0)} ms, median ${percentile(delaysMs, 0.5).toFixed(0)} ms`,
        );
        return { value, limit: promisedReachMs };
      }),
    ),
};

interface Answer {
  readonly status: number;
  readonly body: { readonly text?: string; readonly key?: { readonly id: string } };
}

async function onConsole<T>(run: (console: Managed) => Promise<T>): Promise<T> {
  return onStack(async (stack) => {
    await migrateAuth(stack.postgresUrl);
    await fillPlayers(stack);
    const [port, secondGatewayPort] = [await findFreePort(), await findFreePort()];
    const environment = {
      POSTGRES_URL: stack.postgresUrl,
      QUEUE_URL: stack.postgresUrl,
      CLICKHOUSE_URL: stack.clickhouseUrl,
      LOG_LEVEL: 'warn',
      SECRETS_KEY: randomBytes(32).toString('hex'),
      MANAGEMENT_RATE_PER_KEY: '0',
      MANAGEMENT_RATE_PER_ADDRESS: '0',
    };
    const apps = [
      startApp({ app: 'console', environment: { ...environment, PORT: String(port) } }),
      startApp({ app: 'gateway', environment: { ...environment, PORT: String(secondGatewayPort) } }),
    ];
    const agent = new Agent({ connections: 64 });
    try {
      await Promise.all([untilReady(port), untilReady(secondGatewayPort)]);
      const key = await createManagingKey(stack);
      return await run(managed({ agent, key, port, gatewayPorts: [stack.gatewayPort, secondGatewayPort] }));
    } finally {
      await agent.close();
      for (const app of apps) app.signal('SIGTERM');
      await Promise.all(apps.map((app) => app.exited));
    }
  });
}

interface Place {
  readonly agent: Agent;
  readonly key: string;
  readonly port: number;
  readonly gatewayPorts: readonly number[];
}

type Managed = ReturnType<typeof managed>;

function managed({ agent, key, port, gatewayPorts }: Place) {
  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await request(`http://127.0.0.1:${port}${path}`, {
      dispatcher: agent,
      method: method as 'GET',
      headers: { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    });
    return { status: answer.statusCode, body: (await answer.body.json()) as Answer['body'] };
  };
  const send = async (gatewayPort: number, sender: string) => {
    const url = `http://127.0.0.1:${gatewayPort}/v1/event/insert?eventType=${sampleType.name}`;
    const headers = { 'X-API-Key': sender, 'Content-Type': 'application/json' };
    const body = JSON.stringify(sampleEvent());
    const answer = await request(url, { dispatcher: agent, method: 'PUT', headers, body });
    await answer.body.dump();
    return answer.statusCode;
  };
  const untilRefused = async (gatewayPort: number, sender: string) => {
    while ((await send(gatewayPort, sender)) !== 401) await passed(2);
  };
  return {
    call,
    async fill(count: number): Promise<void> {
      for (let each = 0; each < count; each++) {
        await call('POST', '/v1/keys', { kind: 'public', comment: `build ${each}` });
        await call('POST', `/v1/event-types/type_${each}/versions`, { declaration: sampleType.declaration });
      }
    },
    /** Milliseconds until both gateways refuse. */
    async revoke(): Promise<number> {
      const { body } = await call('POST', '/v1/keys', { kind: 'public' });
      const { text = '', key: made } = body;
      for (const gatewayPort of gatewayPorts) {
        if ((await send(gatewayPort, text)) !== 200) throw new Error('a new key is not taken');
      }
      await call('DELETE', `/v1/keys/${made?.id}`);
      const started = performance.now();
      await Promise.all(gatewayPorts.map((gatewayPort) => untilRefused(gatewayPort, text)));
      return performance.now() - started;
    },
  };
}

/** Each player has played once. */
async function fillPlayers({ postgresUrl, projectId }: Stack): Promise<void> {
  const db = createPostgres({ postgresUrl, maxConnections: 1, onFault: () => undefined });
  await db.query(
    `INSERT INTO auth.accounts (id, realm, email, email_folded, created)
     SELECT 'u-' || lpad(n::text, 20, '0'), $1, n || '@example.com', n || '@example.com', now() - n * interval '1 second'
       FROM generate_series(1, 100000) AS n`,
    [projectId],
  );
  await db.query(
    `INSERT INTO auth.identities (id, account_id, realm, provider, tenant, subject, linked, last_used)
     SELECT gen_random_uuid(), id, realm, 'steam', '', id, created, created FROM auth.accounts WHERE realm = $1`,
    [projectId],
  );
  await db.query('ANALYZE');
  await db.close();
}

type MixedCall = readonly [method: string, path: string, body?: object];

const mix: readonly MixedCall[] = [
  ['GET', '/v1/keys'],
  ['GET', '/v1/event-types'],
  ['GET', '/v1/event-types/type_7'],
  ['GET', '/v1/projects'],
  ['GET', '/v1/policies'],
  ['GET', '/v1/audit?limit=20'],
  ['GET', '/v1/players?limit=20'],
  ['GET', '/v1/players?provider=steam&subject=u-00000000000000050000'],
  ['GET', '/v1/quarantine/counts'],
  ['GET', '/v1/event-types/type_8/code?language=typescript'],
  ['POST', '/v1/event-types/type_9/validate', sampleEvent()],
  ['POST', '/v1/keys', { kind: 'public', comment: 'a build' }],
];

/** Sends at a fixed rate, independent of the answers. Latency counts from the time when the request was due. */
async function load({ call }: Managed, calls: readonly MixedCall[], forMs: number): Promise<number[]> {
  const everyMs = 1_000 / callsPerSecond;
  const started = performance.now();
  const sent = Array.from({ length: forMs / everyMs }, async (_, index) => {
    const dueMs = started + index * everyMs;
    await passed(Math.max(0, dueMs - performance.now()));
    const [method, path, body] = calls[index % calls.length] ?? ['GET', '/v1/keys'];
    const { status } = await call(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}`);
    return performance.now() - dueMs;
  });
  return Promise.all(sent);
}

async function createManagingKey({ postgresUrl, projectId }: Stack): Promise<string> {
  const registry = createRegistry({ postgresUrl, now: Date.now });
  const { text } = await registry.createKey({
    projectId,
    kind: 'administrative',
    comment: 'the bench',
    createdBy: 'the bench',
    scopes: ['all:write'],
  });
  await registry.close();
  return text;
}
