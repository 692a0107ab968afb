import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { waitUntil } from '@tickrate/testkit';
import type { RecentEvent, RecentReader } from '@tickrate/warehouse';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../calls/caller.ts';
import { createLiveHub, type LiveHub } from './live-hub.ts';

const caller = {
  principal: { keyId: 'k-1' },
  kind: 'administrative',
  projectId: 'p-1',
  accountId: null,
  scopes: ['all:read', 'personal:read'],
} as unknown as Caller;

let hub: LiveHub;
let server: Server;
let flood: ReturnType<typeof createFlood>;
let responses: ServerResponse[];
let sockets: Socket[];
let skipped: number;
let opened: number;
/** A project whose viewers may not see personal data, and the masking of its events. */
const masked = { projectId: 'p-masked', begun: 0, held: Promise.resolve() };
/** What the responses reported: without a listener it would end the process. */
let faults: Error[];

beforeEach(async () => {
  flood = createFlood();
  responses = [];
  sockets = [];
  skipped = 0;
  opened = 0;
  Object.assign(masked, { begun: 0, held: Promise.resolve() });
  faults = [];
  hub = createLiveHub({
    warehouse: flood,
    masks: {
      async mask(_projectId, event) {
        masked.begun++;
        await masked.held;
        return event.members();
      },
    },
    now: Date.now,
    newId: () => crypto.randomUUID(),
    events: {
      liveViewers: () => undefined,
      liveSkipped: (events) => {
        skipped += events;
      },
      dependencyFault: (_dependency, error) => {
        throw error;
      },
    },
  });
  server = createServer((request, response) => {
    responses.push(response.on('error', (fault) => faults.push(fault)));
    const projectId = request.url?.slice(1) || caller.projectId;
    const scopes = projectId === masked.projectId ? ['all:read'] : caller.scopes;
    const own = { ...caller, projectId, scopes, principal: { ...caller.principal, keyId: `k-${opened++}` } };
    const stream = { response, caller: own, filter: { where: [] }, lastEventId: null, mostMs: null };
    hub
      .open({ ...stream, recheck: async () => own })
      .catch(({ reason }) => response.writeHead(503, reason).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await hub.drain();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** As many new events as are wanted at each read, as from a very busy project. */
function createFlood(): RecentReader & { eventsPerRead: number; sent: number; held: Promise<void> | null } {
  const bytes = 'x'.repeat(1_000);
  return {
    eventsPerRead: 0,
    sent: 0,
    /** A read waits for it. */
    held: null,
    async recentEvents({ mostEvents }) {
      await this.held;
      const total = this.eventsPerRead;
      if (total === 0) return { chunks: [], events: [], leftOut: 0 };
      const count = Math.min(total, mostEvents);
      this.sent += total;
      const receivedMs = Date.now();
      const events = Array.from({ length: count }, (_, n): RecentEvent => {
        const eventId = `e-${this.sent}-${n}`;
        const names = { eventId, type: 'flood', accountId: 'u-1', sessionId: 'us-1', keyKind: 'public' };
        const rest = { version: 1, occurredMs: receivedMs, clientAddress: '', sdkName: '', sdkVersion: '' };
        return { ...names, ...rest, receivedMs, text: JSON.stringify({ n, bytes }) };
      });
      const chunks = [{ chunkId: crypto.randomUUID(), events: total, newestMs: receivedMs }];
      return { chunks, events, leftOut: total - count };
    },
  };
}

async function open(path = '/'): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const count = sockets.length;
  await waitUntil(() => responses.length >= count, { what: 'the stream' });
  return socket;
}

// Invariant (Queries): Every stored event is in a live stream's `events`, `skipped` or `unread`, and a
// paused reader costs a bounded number of bytes
test('readers that pause hold a bounded number of bytes, whatever arrives', async () => {
  for (let n = 0; n < 20; n++) (await open()).pause();
  flood.eventsPerRead = 10_000;
  await waitUntil(() => flood.sent >= 60_000, { timeoutMs: 10_000, what: 'the flood' });
  // One frame of 100 events of 1.3 KB is more than the 16 KB above which nothing more is written.
  for (const response of responses) expect(response.writableLength).toBeLessThan(2 * 160_000);
  expect(skipped).toBeGreaterThan(20 * 15_000);
});

test('a reader that comes back learns exactly how many events it missed', async () => {
  const socket = await open();
  socket.pause();
  flood.eventsPerRead = 7_000;
  await waitUntil(() => flood.sent >= 28_000, { timeoutMs: 10_000, what: 'the flood' });
  flood.eventsPerRead = 0;
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  socket.resume();
  const count = () => {
    let sum = 0;
    for (const [, data = ''] of received.matchAll(/^data: (\{"events".*\})$/gm)) {
      const { events, skipped: left, unread } = JSON.parse(data);
      sum += events.length + left + unread;
    }
    return sum;
  };
  await waitUntil(() => count() >= flood.sent, { what: 'the sums' });
  expect(count()).toBe(flood.sent);
});

test('many keys of one project, or many projects, lock no other project out of its live stream', async () => {
  const answerTo = async (path: string) => {
    const [head] = await once((await open(path)).setEncoding('utf8'), 'data');
    return String(head).split('\r\n', 1)[0];
  };
  const opened = 'HTTP/1.1 200 OK';
  const answersTo = (paths: readonly string[]) => Promise.all(paths.map(answerTo));
  expect(new Set(await answersTo(Array(100).fill('/p-greedy')))).toEqual(new Set([opened]));
  expect(await answerTo('/p-greedy')).toBe('HTTP/1.1 503 rateLimited');
  const others = await answersTo(Array.from({ length: 400 }, (_, n) => `/p-${n % 5}`));
  expect(new Set(others)).toEqual(new Set([opened]));
  expect(await answerTo('/p-0')).toBe('HTTP/1.1 503 temporarilyUnavailable');
  expect(await answerTo('/p-neighbour')).toBe(opened);
});

test('a stream that opens while the last other one closes gets the events that follow', async () => {
  const other = await open();
  const read = Promise.withResolvers<void>();
  flood.held = read.promise;
  const socket = await open();
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  other.destroy();
  await once(responses[0] ?? server, 'close');
  read.resolve();
  await waitUntil(() => received.includes('event: events'), { what: 'the first frame' });
  flood.eventsPerRead = 3;
  await waitUntil(() => received.includes('"eventId":"e-'), { what: 'an event' });
});

test('a stream ends when the process stops', async () => {
  const socket = await open();
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  await hub.drain();
  await waitUntil(() => received.includes('event: end'), { what: 'the end' });
});

test('a stream whose end is not sent yet does not end a second time', async () => {
  await open();
  // As if the reader paused and the buffers of the network were full.
  responses[0]?.socket?.cork();
  await hub.drain();
  expect(responses[0]).toMatchObject({ writableEnded: true, destroyed: false });
  await hub.stop();
  await new Promise(setImmediate);
  expect(faults).toEqual([]);
});

test('a stream that ends while a frame is prepared gets nothing after its end', async () => {
  const prepared = Promise.withResolvers<void>();
  masked.held = prepared.promise;
  const received = await once((await open(`/${masked.projectId}`)).setEncoding('utf8'), 'data');
  expect(received.join()).toContain('HTTP/1.1 200 OK');
  responses[0]?.socket?.cork();
  flood.eventsPerRead = 3;
  await waitUntil(() => masked.begun > 0, { what: 'a frame in preparation' });
  await hub.drain();
  prepared.resolve();
  await new Promise(setImmediate);
  expect(faults).toEqual([]);
});
