import { once } from 'node:events';
import { connect } from 'node:net';
import { waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import {
  connectRaw,
  exchangeRaw,
  type Harness,
  parseAnswers,
  type RawConnection,
  startHarness,
} from '../../testing/http-harness.ts';
import { answerJson, answerText } from '../answers/answer.ts';
import { readBody } from '../body/read-body.ts';
import type { HttpServerOptions } from '../server.ts';

const get = 'GET /fast HTTP/1.1\r\nHost: a\r\n\r\n';
const held = 'GET /held HTTP/1.1\r\nHost: a\r\n\r\n';
const limits = { maxConnections: 1_000, maxConnectionsOfAddress: 20 };
const routes: HttpServerOptions['routes'] = (app) => {
  app.get('/fast', (_request, response) => answerText(response, 'true'));
  app.get('/held', (_request, response) => response.writeHead(200).flushHeaders());
  app.put('/body', async (request, response) =>
    answerJson(response, (await readBody(request, { limitBytes: 1000 })).length),
  );
};

/** Whether another client is served meanwhile. */
async function statusFor(edge: Harness, address: string): Promise<number | undefined> {
  const connection = await connectRaw(edge.port, address);
  connection.socket.write(get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  return parseAnswers(await connection.closed())[0]?.status;
}

interface Flood {
  readonly connections: readonly RawConnection[];
  open(): number;
  end(): void;
}

async function flood(edge: Harness, bytes: string, { count = 60, from = '127.0.0.1' } = {}): Promise<Flood> {
  const connections: RawConnection[] = [];
  const ended = new Set<RawConnection>();
  for (let at = 0; at < count; at++) {
    const connection = await connectRaw(edge.port, from);
    connection.socket.once('end', () => ended.add(connection));
    connection.socket.once('close', () => ended.add(connection));
    connection.socket.write(bytes);
    if (bytes === get) await connection.received('true');
    else if (bytes === held)
      await Promise.race([connection.received('200 OK'), once(connection.socket, 'end')]);
    connections.push(connection);
  }
  return {
    connections,
    open: () => count - ended.size,
    end: () => {
      for (const { socket } of connections) socket.destroy();
    },
  };
}

const floods: Record<string, string> = {
  'that never sends': '',
  'that sends half a request line': 'GET /fa',
  'that never ends its headers': 'GET /fast HTTP/1.1\r\nHost: a\r\nX: ',
  'that keeps alive what it has used': get,
  'that keeps alive with one byte of the next request': `${get}G`,
  'that never ends its bodies': 'PUT /body HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\nx',
  'that never ends its chunks': 'PUT /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
  'that waits for 100 Continue':
    'PUT /body HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 900\r\n\r\n',
  'whose requests take long': held,
  'that sends many requests at a time': held.repeat(50),
  'that asks for another protocol':
    'GET /held HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'that speaks TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'that asks for tunnels': 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n',
};

// Invariant (Limits and overload): No client address holds more than its share of connections, and other
// clients are served immediately
describe('a client address', () => {
  test.each(Object.entries(floods))('holds no more than its own share: one %s', async (_, bytes) => {
    await using edge = await startHarness({ routes, limits });
    const attack = await flood(edge, bytes);
    await waitUntil(() => attack.open() <= limits.maxConnectionsOfAddress);
    // A client sees the end of a refused connection before the server has closed its own side.
    await waitUntil(() => edge.server.connections() <= limits.maxConnectionsOfAddress);
    expect(await statusFor(edge, '127.0.0.2')).toBe(200);
    attack.end();
    await waitUntil(() => edge.server.connections() === 0);
  });

  test('gets a new connection for the one that it has not used for longest', async () => {
    await using edge = await startHarness({ routes, limits: { ...limits, maxConnectionsOfAddress: 3 } });
    const { connections } = await flood(edge, get, { count: 3 });
    const [first, second, third] = connections;
    first?.socket.write(get);
    await waitUntil(() => first?.text().match(/true/g)?.length === 2);
    expect(await statusFor(edge, '127.0.0.1')).toBe(200);
    await second?.closed();
    expect([first?.socket.readableEnded, third?.socket.readableEnded]).toEqual([false, false]);
  });

  test('all of whose connections are in use answers with a status and a time to retry', async () => {
    await using edge = await startHarness({ routes, limits: { ...limits, maxConnectionsOfAddress: 3 } });
    const attack = await flood(edge, held, { count: 3 });
    const refused = await connectRaw(edge.port);
    const [answer] = parseAnswers(await refused.closed());
    expect(answer).toMatchObject({ status: 429, body: { code: 6002, data: { retryAfterSeconds: 1 } } });
    expect(await edge.metrics.text()).toContain('fault="tooManyOfAddress"} 1');
    attack.end();
    await waitUntil(async () => (await statusFor(edge, '127.0.0.1')) === 200);
  });

  test('is a network of 64 bits where it is one of IPv6', async () => {
    await using edge = await startHarness({
      routes,
      limits: { ...limits, maxConnectionsOfAddress: 3 },
      host: '::',
    });
    const sockets = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const socket = connect({ port: edge.port, host: '::1' });
        socket.write(held);
        await once(socket, 'data');
        return socket;
      }),
    );
    const refused = connect({ port: edge.port, host: '::1' });
    const [bytes] = await once(refused, 'data');
    expect(String(bytes)).toContain('HTTP/1.1 429');
    expect(await statusFor(edge, '127.0.0.1')).toBe(200);
    for (const socket of [...sockets, refused]) socket.destroy();
  });

  test('that is a trusted proxy speaks for many, and is not bounded', async () => {
    await using edge = await startHarness({ routes, limits, trustedProxies: ['127.0.0.0/30'] });
    const proxy = await flood(edge, get);
    expect(proxy.open()).toBe(60);
    expect(await statusFor(edge, '127.0.0.1')).toBe(200);
    proxy.end();
  });
});

describe('a server that is nearly full', () => {
  const small = { maxConnections: 30, maxConnectionsOfAddress: 0 };

  test('closes idle connections for new ones: the longest unused one of the largest holder first', async () => {
    await using edge = await startHarness({ routes, limits: small });
    const few = await flood(edge, get, { count: 5, from: '127.0.0.3' });
    const many = await flood(edge, get, { count: 25 });
    const newcomers = await flood(edge, held, { count: 10, from: '127.0.0.2' });
    await waitUntil(() => many.open() === 15);
    expect([few.open(), newcomers.open(), edge.server.connections()]).toEqual([5, 10, 30]);
    await Promise.all(many.connections.slice(0, 10).map((connection) => connection.closed()));
    expect(await edge.metrics.text()).toContain('fault="madeRoom"} 10');
    for (const each of [few, many, newcomers]) each.end();
  });

  test('closes those of a proxy last', async () => {
    await using edge = await startHarness({ routes, limits: small, trustedProxies: ['127.0.0.9'] });
    const proxy = await flood(edge, get, { count: 28, from: '127.0.0.9' });
    const client = await flood(edge, get, { count: 2 });
    const newcomers = await flood(edge, held, { count: 3, from: '127.0.0.2' });
    await waitUntil(() => client.open() === 0);
    await waitUntil(() => proxy.open() === 27);
    expect(newcomers.open()).toBe(3);
    for (const each of [proxy, client, newcomers]) each.end();
  });

  test('refuses new ones only when all are in use', async () => {
    await using edge = await startHarness({ routes, limits: small });
    const attack = await flood(edge, held, { count: 30 });
    expect(await statusFor(edge, '127.0.0.2')).toBe(503);
    attack.end();
    await waitUntil(async () => (await statusFor(edge, '127.0.0.2')) === 200);
  });
});

describe('a connection that is kept alive', () => {
  const short = { headersTimeoutMs: 200, keepAliveTimeoutMs: 100 };

  test('by one byte of a next request is closed when its headers do not arrive', async () => {
    await using edge = await startHarness({ routes, limits: short });
    const connection = await connectRaw(edge.port);
    connection.socket.write(`${get}G`);
    expect(parseAnswers(await connection.closed()).map(({ status }) => status)).toEqual([200, 408]);
  });

  test('by empty lines is closed too', async () => {
    await using edge = await startHarness({ routes, limits: short });
    const connection = await connectRaw(edge.port);
    connection.socket.write(get);
    await connection.received('true');
    const trickle = setInterval(() => connection.socket.write('\r\n'), 20);
    await connection.closed();
    clearInterval(trickle);
    await waitUntil(() => edge.server.connections() === 0);
  });

  test('is closed a second after the announced time, without counting as a fault', async () => {
    await using edge = await startHarness({ routes, limits: { keepAliveTimeoutMs: 1_000 } });
    const connection = await connectRaw(edge.port);
    const beganMs = performance.now();
    connection.socket.write(get);
    const [answer] = parseAnswers(await connection.closed());
    expect(answer?.headers.get('keep-alive')).toBe('timeout=1');
    // Timers count whole milliseconds, and this clock counts parts of them.
    expect(performance.now() - beganMs).toBeGreaterThan(1_998);
    expect(edge.lines.filter(({ msg }) => msg === 'connection fault')).toEqual([]);
  });

  test('announces no time if it ends with the answer', async () => {
    await using edge = await startHarness({ routes });
    const closing = get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const [answer] = parseAnswers(await exchangeRaw(edge.port, closing));
    expect(answer?.headers.has('keep-alive')).toBe(false);
  });
});
