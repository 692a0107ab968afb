import { connect, type Socket } from 'node:net';
import { sampleBatch, sampleEvent } from './sample-events.ts';

/**
 * A process of its own that sends as fast as it is answered: `connections` keep-alive connections, one request at a
 * time on each, bodies made beforehand. Reports through IPC what was answered within the measured time.
 */
export interface LoadOrder {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly apiKey: string;
  readonly connections: number;
  /** Events in a body; 0 sends a single event as an object. */
  readonly batch: number;
  readonly warmupMs: number;
  readonly measureMs: number;
}

export interface LoadReport {
  readonly requests: number;
  readonly refused: number;
  readonly elapsedMs: number;
  readonly bodyBytes: number;
}

const distinctBodies = 400;
const success = Buffer.from('HTTP/1.1 200');
const headerEnd = Buffer.from('\r\n\r\n');

process.once('message', (order: LoadOrder) => {
  generate(order).then(
    (report) => process.send?.(report, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});

async function generate(order: LoadOrder): Promise<LoadReport> {
  const requests = Array.from({ length: distinctBodies }, () => requestBytes(order));
  const counts = { answered: 0, refused: 0, next: 0, stopped: false };
  const sockets = await Promise.all(Array.from({ length: order.connections }, () => open(order)));
  const done = sockets.map((socket) => drive(socket, requests, counts));
  await passed(order.warmupMs);
  const start = performance.now();
  const before = { ...counts };
  await passed(order.measureMs);
  const elapsedMs = performance.now() - start;
  const after = { ...counts };
  counts.stopped = true;
  await Promise.all(done);
  const bodyBytes = requests.reduce((sum, request) => sum + request.length, 0) / requests.length;
  return {
    requests: after.answered - before.answered,
    refused: after.refused - before.refused,
    elapsedMs,
    bodyBytes,
  };
}

interface Counts {
  answered: number;
  refused: number;
  next: number;
  stopped: boolean;
}

function drive(socket: Socket, requests: readonly Buffer[], counts: Counts): Promise<void> {
  return new Promise((resolve, reject) => {
    const send = () => {
      const request = requests[counts.next++ % requests.length];
      if (request !== undefined) socket.write(request);
    };
    let held: Buffer = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => {
      held = held.length === 0 ? data : Buffer.concat([held, data]);
      const size = answerSize(held);
      if (size === null || held.length < size) return;
      if (held.subarray(0, success.length).equals(success)) counts.answered++;
      else counts.refused++;
      held = Buffer.alloc(0);
      if (counts.stopped) {
        socket.destroy();
        resolve();
      } else send();
    });
    socket.once('error', reject);
    send();
  });
}

function answerSize(bytes: Buffer): number | null {
  const end = bytes.indexOf(headerEnd);
  if (end < 0) return null;
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
  return end + headerEnd.length + Number(length ?? 0);
}

function requestBytes({ host, port, path, apiKey, batch }: LoadOrder): Buffer {
  const body = batch === 0 ? Buffer.from(JSON.stringify(sampleEvent())) : sampleBatch(batch);
  const head = [
    `PUT ${path} HTTP/1.1`,
    `Host: ${host}:${port}`,
    `X-API-Key: ${apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

function open({ host, port }: LoadOrder): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
