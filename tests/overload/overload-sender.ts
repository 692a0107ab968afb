import { connect, type Socket } from 'node:net';
import { createNumberedRequests, type NumberedRequests, type RequestTarget } from './numbered-requests.ts';

/**
 * A separate process that sends batches of numbered events and records which were acknowledged. At a rate, it sends
 * each request when it is due, whether earlier ones were answered or not, as many independent clients do:
 * over another connection when all are busy. It runs one order at a time and ends with its parent.
 */
export interface SendOrder extends RequestTarget {
  /** At most; each carries one request at a time. */
  readonly connections: number;
  /** Null sends as fast as answers arrive. */
  readonly requestsPerSecond: number | null;
  readonly forMs: number;
  /** The number of the first event. */
  readonly first: number;
}

export interface SendReport {
  /** First number and count of acknowledged events. */
  readonly accepted: readonly (readonly [first: number, count: number])[];
  /** Of each accepted request, in milliseconds. */
  readonly latencies: readonly number[];
  /** Accepted events in each second. */
  readonly perSecond: readonly number[];
  readonly requests: number;
  /** By code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Refusals without a retry delay. */
  readonly withoutWait: number;
  readonly unanswered: number;
}

interface Running {
  readonly order: SendOrder;
  readonly texts: NumberedRequests;
  readonly beganMs: number;
  readonly idle: Line[];
  lines: number;
  next: number;
  /** Due requests. */
  scheduled: number;
  requests: number;
  unanswered: number;
  withoutWait: number;
  isOver: boolean;
  readonly ended: PromiseWithResolvers<void>;
  readonly accepted: (readonly [number, number])[];
  readonly latencies: number[];
  readonly perSecond: number[];
  readonly refused: Record<string, number>;
}

/** One connection and the request on it. */
interface Line {
  readonly socket: Socket;
  first: number;
  sentMs: number;
  held: string;
  isWaiting: boolean;
}

const tickMs = 2;
const answerTimeoutMs = 30_000;

process.on('message', (order: SendOrder) => void run(order).then((report) => process.send?.(report)));
process.once('disconnect', () => process.exit(0));

async function run(order: SendOrder): Promise<SendReport> {
  const running: Running = {
    order,
    texts: createNumberedRequests(order),
    beganMs: performance.now(),
    idle: [],
    lines: 0,
    next: order.first,
    scheduled: 0,
    requests: 0,
    unanswered: 0,
    withoutWait: 0,
    isOver: false,
    ended: Promise.withResolvers(),
    accepted: [],
    latencies: [],
    perSecond: [],
    refused: {},
  };
  const ticking = setInterval(() => sendWhatIsDue(running), tickMs);
  await new Promise((resolve) => setTimeout(resolve, order.forMs));
  clearInterval(ticking);
  end(running);
  await running.ended.promise;
  const { accepted, latencies, perSecond, requests, refused, withoutWait, unanswered } = running;
  return { accepted, latencies, perSecond, requests, refused, withoutWait, unanswered };
}

/** Waits for outstanding answers before the report. */
function end(running: Running): void {
  running.isOver = true;
  for (const { socket } of running.idle.splice(0)) socket.destroy();
  if (running.lines === 0) running.ended.resolve();
}

/** Requests that were due while all connections were busy are skipped, not sent later. */
function sendWhatIsDue(running: Running): void {
  const { order, idle } = running;
  const due = order.requestsPerSecond === null ? order.connections : dueBy(running, order.requestsPerSecond);
  for (let n = 0; n < due && !running.isOver; n++) {
    const line = idle.pop();
    if (line !== undefined) send(running, line);
    else if (running.lines < order.connections) open(running);
    else return;
  }
}

function dueBy(running: Running, requestsPerSecond: number): number {
  const total = Math.floor(((performance.now() - running.beganMs) * requestsPerSecond) / 1_000);
  const due = total - running.scheduled;
  running.scheduled = total;
  return due;
}

function open(running: Running): void {
  running.lines++;
  const socket = connect({ port: running.order.port, host: '127.0.0.1', noDelay: true });
  const line: Line = { socket, first: 0, sentMs: 0, held: '', isWaiting: false };
  socket.setEncoding('latin1');
  socket.setTimeout(answerTimeoutMs, () => socket.destroy());
  socket.once('connect', () => (running.isOver ? socket.destroy() : send(running, line)));
  socket.on('data', (text: string) => receive(running, line, text));
  socket.on('error', () => undefined);
  socket.once('close', () => close(running, line));
}

function close(running: Running, line: Line): void {
  running.lines--;
  if (line.isWaiting) running.unanswered++;
  const at = running.idle.indexOf(line);
  if (at >= 0) running.idle.splice(at, 1);
  if (running.isOver && running.lines === 0) running.ended.resolve();
}

function send(running: Running, line: Line): void {
  line.first = running.next;
  running.next += running.order.eventsPerRequest;
  running.requests++;
  line.sentMs = performance.now();
  line.isWaiting = true;
  line.socket.write(running.texts.from(line.first));
}

function receive(running: Running, line: Line, text: string): void {
  const held = line.held + text;
  const end = held.indexOf('\r\n\r\n');
  const length = end < 0 ? 0 : Number(/content-length: (\d+)/i.exec(held)?.[1] ?? 0);
  line.held = end < 0 || held.length < end + 4 + length ? held : '';
  if (line.held !== '') return;
  line.isWaiting = false;
  note(running, line, held);
  if (running.isOver || /connection: close/i.test(held)) line.socket.destroy();
  else if (running.order.requestsPerSecond === null) send(running, line);
  else running.idle.push(line);
}

function note(running: Running, { first, sentMs }: Line, answer: string): void {
  const count = running.order.eventsPerRequest;
  if (answer.startsWith('200', 9)) {
    const nowMs = performance.now();
    running.accepted.push([first, count]);
    running.latencies.push(nowMs - sentMs);
    const second = Math.floor((nowMs - running.beganMs) / 1_000);
    running.perSecond[second] = (running.perSecond[second] ?? 0) + count;
    return;
  }
  const code = /"code":(\d+)/.exec(answer)?.[1] ?? 'none';
  running.refused[code] = (running.refused[code] ?? 0) + 1;
  if (!/retry-after: [1-9]/i.test(answer)) running.withoutWait++;
}
