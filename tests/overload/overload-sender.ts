import { connect, type Socket } from 'node:net';

/**
 * A process of its own that sends batches of numbered events over keep-alive connections, one request at a time on each,
 * and remembers which were acknowledged. It runs one order after the other and ends with its parent.
 */
export interface SendOrder {
  readonly port: number;
  readonly apiKey: string;
  readonly path: string;
  readonly connections: number;
  /** Null sends as fast as it is answered. */
  readonly requestsPerSecond: number | null;
  readonly eventsPerRequest: number;
  readonly forMs: number;
  /** The number of the first event. */
  readonly first: number;
}

export interface SendReport {
  /** Numbers from the first one on that were used. */
  readonly taken: number;
  /** First number and count of what was acknowledged. */
  readonly accepted: readonly (readonly [first: number, count: number])[];
  /** Of each accepted request, in milliseconds. */
  readonly latencies: readonly number[];
  /** Accepted events in each second. */
  readonly perSecond: readonly number[];
  readonly requests: number;
  /** By code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Refusals that told no wait. */
  readonly withoutWait: number;
  readonly unanswered: number;
}

interface Running {
  readonly order: SendOrder;
  readonly beganMs: number;
  next: number;
  requests: number;
  unanswered: number;
  withoutWait: number;
  readonly accepted: (readonly [number, number])[];
  readonly latencies: number[];
  readonly perSecond: number[];
  readonly refused: Record<string, number>;
}

const text = 'a few words that make the event as long as events are'.repeat(2);
const headerEnd = Buffer.from('\r\n\r\n');

process.on('message', (order: SendOrder) => void run(order).then((report) => process.send?.(report)));
process.once('disconnect', () => process.exit(0));

async function run(order: SendOrder): Promise<SendReport> {
  const running: Running = {
    order,
    beganMs: performance.now(),
    next: order.first,
    requests: 0,
    unanswered: 0,
    withoutWait: 0,
    accepted: [],
    latencies: [],
    perSecond: [],
    refused: {},
  };
  await Promise.all(Array.from({ length: order.connections }, () => sendOn(running)));
  const { next, ...report } = running;
  return { ...report, taken: next - order.first };
}

async function sendOn(running: Running): Promise<void> {
  const { order, beganMs } = running;
  let socket: Socket | null = null;
  const isOver = () => performance.now() - beganMs >= order.forMs;
  while (!isOver()) {
    const turnMs =
      order.requestsPerSecond === null ? 0 : beganMs + (running.requests * 1_000) / order.requestsPerSecond;
    running.requests++;
    if (turnMs > performance.now()) await passed(turnMs - performance.now());
    if (isOver()) break;
    socket = socket === null || socket.destroyed ? await open(order.port) : socket;
    if (socket === null) await passed(20);
    else await exchange(running, socket);
  }
  socket?.destroy();
}

async function exchange(running: Running, socket: Socket): Promise<void> {
  const { order } = running;
  const count = order.eventsPerRequest;
  const first = running.next;
  running.next += count;
  const sentMs = performance.now();
  socket.write(requestText(order, first));
  const answer = await answerOn(socket);
  if (answer === null) running.unanswered++;
  else if (answer.status === 200) {
    running.accepted.push([first, count]);
    running.latencies.push(performance.now() - sentMs);
    const second = Math.floor((performance.now() - running.beganMs) / 1_000);
    running.perSecond[second] = (running.perSecond[second] ?? 0) + count;
  } else {
    running.refused[answer.code] = (running.refused[answer.code] ?? 0) + 1;
    if (!answer.tellsWait) running.withoutWait++;
    if (answer.closes) socket.destroy();
  }
}

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly tellsWait: boolean;
  readonly closes: boolean;
}

/** Null when the connection ended before. */
function answerOn(socket: Socket): Promise<Answer | null> {
  return new Promise((resolve) => {
    let held = Buffer.alloc(0);
    const settle = (answer: Answer | null) => {
      socket.removeListener('data', onData);
      socket.removeListener('close', onClose);
      resolve(answer);
    };
    const onClose = () => settle(null);
    const onData = (data: Buffer) => {
      held = Buffer.concat([held, data]);
      const end = held.indexOf(headerEnd);
      if (end < 0) return;
      const head = held.toString('latin1', 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (held.length < end + headerEnd.length + length) return;
      const body = held.toString('utf8', end + headerEnd.length);
      settle({
        status: Number(head.slice(9, 12)),
        code: /"code":(\d+)/.exec(body)?.[1] ?? 'none',
        tellsWait: /retry-after: [1-9]/i.test(head),
        closes: /connection: close/i.test(head),
      });
    };
    socket.on('data', onData);
    socket.once('close', onClose);
  });
}

function requestText({ port, path, apiKey, eventsPerRequest }: SendOrder, first: number): string {
  let body = '[';
  for (let n = first; n < first + eventsPerRequest; n++)
    body += `${n === first ? '' : ','}{"n":${n},"text":"${text}"}`;
  body += ']';
  const head = `PUT ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${apiKey}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function open(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.once('connect', () => resolve(socket));
    socket.on('error', () => resolve(null));
  });
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
