import { connect, type Socket } from 'node:net';
import { setTimeout as passed } from 'node:timers/promises';
import { sampleBatch, sampleEvent } from './sample-events.ts';
import { takeOrder } from './take-order.ts';

/**
 * A separate process that sends as fast as it gets answers: `connections` keep-alive connections, one request at a
 * time on each, bodies prepared before. Reports over IPC the answers within the measured time.
 */
export interface LoadOrder {
  readonly port: number;
  /** The senders; requests rotate through them. */
  readonly senders: readonly LoadSender[];
  readonly connections: number;
  /** The highest number of requests per second; unlimited when left out. */
  readonly requestsPerSecond?: number;
  /** Events in a body; 0 sends a single event as an object. */
  readonly batch: number;
  readonly warmupMs: number;
  readonly measureMs: number;
}

export interface LoadSender {
  readonly path: string;
  readonly apiKey: string;
}

export interface LoadReport {
  /** Within the measured time. */
  readonly requests: number;
  readonly refused: number;
  readonly elapsedMs: number;
  /** All answers with 200, warm-up included. */
  readonly acceptedInAll: number;
  /** Of one event, as JSON. */
  readonly eventBytes: number;
}

const host = '127.0.0.1';
const fewestBodies = 400;
const success = Buffer.from('HTTP/1.1 200');
const headerEnd = Buffer.from('\r\n\r\n');

takeOrder(generate);

async function generate(order: LoadOrder): Promise<LoadReport> {
  const count = Math.max(fewestBodies, order.senders.length);
  const bodies = Array.from({ length: fewestBodies }, () => bodyOf(order));
  const requests = Array.from({ length: count }, (_, at) => requestBytes(order, at, bodies));
  const load = { answered: 0, refused: 0, next: 0, stopped: false, startedMs: performance.now() };
  const sockets = await Promise.all(Array.from({ length: order.connections }, () => open(order)));
  const done = sockets.map((socket) => drive(socket, requests, { load, order }));
  await passed(order.warmupMs);
  const start = performance.now();
  const before = { ...load };
  await passed(order.measureMs);
  const elapsedMs = performance.now() - start;
  const after = { ...load };
  load.stopped = true;
  await Promise.all(done);
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length;
  return {
    requests: after.answered - before.answered,
    refused: after.refused - before.refused,
    elapsedMs,
    acceptedInAll: load.answered,
    eventBytes: order.batch === 0 ? bytes : (bytes - 1) / order.batch - 1,
  };
}

interface Load {
  answered: number;
  refused: number;
  next: number;
  stopped: boolean;
  readonly startedMs: number;
}

function drive(
  socket: Socket,
  requests: readonly Buffer[],
  { load, order }: { load: Load; order: LoadOrder },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const send = () => {
      if (load.stopped) {
        socket.destroy();
        resolve();
        return;
      }
      const request = requests[load.next++ % requests.length];
      if (request !== undefined) socket.write(request);
    };
    let held: Buffer = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => {
      held = held.length === 0 ? data : Buffer.concat([held, data]);
      const size = answerSize(held);
      if (size === null || held.length < size) return;
      if (held.subarray(0, success.length).equals(success)) load.answered++;
      else load.refused++;
      held = Buffer.alloc(0);
      const waitMs = delayBeforeNextMs(load, order);
      if (waitMs > 0) setTimeout(send, waitMs);
      else send();
    });
    socket.once('error', reject);
    send();
  });
}

/** The delay before the next request that keeps the rate. */
function delayBeforeNextMs({ next, startedMs }: Load, { requestsPerSecond }: LoadOrder): number {
  if (requestsPerSecond === undefined) return 0;
  return startedMs + (next * 1_000) / requestsPerSecond - performance.now();
}

function answerSize(bytes: Buffer): number | null {
  const end = bytes.indexOf(headerEnd);
  if (end < 0) return null;
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
  return end + headerEnd.length + Number(length ?? 0);
}

function bodyOf({ batch }: LoadOrder): Buffer {
  return batch === 0 ? Buffer.from(JSON.stringify(sampleEvent())) : sampleBatch(batch);
}

function requestBytes({ port, senders }: LoadOrder, at: number, bodies: readonly Buffer[]): Buffer {
  const sender = senders[at % senders.length];
  const body = bodies[at % bodies.length] ?? Buffer.alloc(0);
  if (sender === undefined) throw new Error('a load without a sender');
  const head = [
    `PUT ${sender.path} HTTP/1.1`,
    `Host: ${host}:${port}`,
    `X-API-Key: ${sender.apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

function open({ port }: LoadOrder): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}
