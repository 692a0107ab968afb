import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { EmbeddedServer } from '../../embedded-server.ts';
import { scratchFolder } from '../../scratch-folder.ts';
import { startClickHouse } from '../start-clickhouse.ts';

export interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
  readonly text: string;
}

/** A server for the tests of one file, with requests like those of curl. */
/** `X-ClickHouse-Exception-Code` of an error. */
export function codeOf({ headers }: Reply): unknown {
  return headers['x-clickhouse-exception-code'];
}

export const ACCESS = { 'X-ClickHouse-User': 'tickrate', 'X-ClickHouse-Key': 'secret' };
export const RAW_ACCESS = 'Host: x\r\nX-ClickHouse-User: tickrate\r\nX-ClickHouse-Key: secret\r\n';

export function httpHarness() {
  const folder = scratchFolder();
  const lines: string[] = [];
  let server: EmbeddedServer;
  beforeAll(async () => {
    server = await startClickHouse({
      dataDir: folder.path,
      port: 0,
      user: 'tickrate',
      password: 'secret',
      database: 'tickrate',
      onLog: (line) => lines.push(line),
    });
  });
  afterAll(async () => {
    await server.stop();
    folder.remove();
  });
  const http = (call: Call): Promise<Reply> => send(server.port, call);
  const select = (sql: string): Promise<string> => http({ body: sql }).then(({ text }) => text);
  return {
    folder,
    /** The server's log. */
    lines,
    port: () => server.port,
    /** Adds no header and decodes nothing. */
    http,
    select,
    /** Runs a query until the test ends, and waits until the engine runs it. */
    async running(queryId: string, call: Call): Promise<{ readonly ended: Promise<Reply> }> {
      const ended = http({ ...call, search: { ...call.search, query_id: queryId } });
      onTestFinished(async () => {
        await select(`KILL QUERY WHERE query_id = '${queryId}' ASYNC`);
        await ended;
      });
      const found = `SELECT count() FROM system.processes WHERE query_id = '${queryId}'`;
      await expect.poll(() => select(found), { timeout: 20_000 }).toBe('1\n');
      return { ended };
    },
    /** Creates a table without an order. */
    async table(name: string, columns: string): Promise<void> {
      expect(await select(`CREATE TABLE ${name} (${columns}) ENGINE = MergeTree ORDER BY tuple()`)).toBe('');
    },
    /** Sends these bytes and resolves with the whole answer, or with the first part that `enough` accepts. */
    raw: (text: string, enough?: (answer: string) => boolean) => sendRaw(server.port, text, enough),
  };
}

function send(
  port: number,
  { method = 'POST', path = '/', search = {}, headers = ACCESS, body }: Call,
): Promise<Reply> {
  const query = new URLSearchParams(search).toString();
  return new Promise((resolve, reject) => {
    const target = query === '' ? path : `${path}?${query}`;
    const options = { host: '127.0.0.1', port, method, path: target, headers, agent: false };
    const sending = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const all = Buffer.concat(chunks);
        const { statusCode = 0, headers: received } = response;
        resolve({ status: statusCode, headers: received, body: all, text: all.toString() });
      });
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

function sendRaw(port: number, text: string, enough = (_: string): boolean => false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      answer += part;
      if (enough(answer)) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}
