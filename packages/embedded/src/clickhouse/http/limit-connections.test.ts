import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { limitConnections } from './http-server.ts';

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

test('a full server closes idle connections for new ones and keeps busy ones', async () => {
  const held = Promise.withResolvers<void>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (asked, response) => {
    if (asked.headers['held'] === undefined) response.end('ok');
    else {
      response.write('begun');
      void held.promise.then(() => response.end('done'));
    }
  });
  limitConnections(server, 10);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const ask = async (text: string, expected: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    sockets.push(socket.on('error', () => undefined));
    let answer = '';
    for await (const [part] of onceEach(socket)) {
      answer += String(part);
      if (answer.includes(expected)) return socket;
    }
    throw new Error(`closed without '${expected}'`);
  };
  const inUse = await ask(request.replace('\r\n\r\n', '\r\nHeld: 1\r\n\r\n'), 'begun');
  for (let i = 0; i < 30; i++) await ask(request, 'ok');
  const end = once(inUse, 'data');
  held.resolve();
  expect(String((await end)[0])).toContain('done');
});

/** The bytes that the socket receives until it is closed. */
async function* onceEach(socket: Socket): AsyncGenerator<unknown[]> {
  const closed = once(socket, 'close').then(() => null);
  for (;;) {
    const next = await Promise.race([once(socket, 'data'), closed]);
    if (next === null) return;
    yield next;
  }
}
