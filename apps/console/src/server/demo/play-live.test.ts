import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createDemoClient } from './demo-client.ts';
import { createEmberPlayers } from './ember-players.ts';
import { playLive } from './play-live.ts';

test('a banned player and one whose session ends, as an erased one, stop playing, and that is no fault', async () => {
  const playing = new AbortController();
  const faults: unknown[] = [];
  /** As many as play at once. The next two take the places of players who stopped. */
  const atOnce = 400;
  let signIns = 0;
  let refused = false;
  const server = createServer((request, response) => {
    if (request.url === '/v1/authenticate') {
      signIns += 1;
      if (signIns === 1)
        return void response
          .writeHead(403)
          .end(JSON.stringify({ code: 4006, message: 'The account is banned' }));
      response.end(JSON.stringify({ authenticatedSession: { apiKey: `key ${signIns}` } }));
      if (signIns > atOnce + 1) playing.abort();
      return;
    }
    if (refused) return void response.end('{}');
    refused = true;
    response.writeHead(401).end(JSON.stringify({ code: 2002, message: 'The API key is not valid' }));
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { signal } = playing;
  const client = createDemoClient({
    authUrl: url,
    gatewayUrl: url,
    publicKey: 'public',
    voucher: { write: (address) => address },
    signal,
  });
  const [first, ...others] = createEmberPlayers();
  if (first === undefined) throw new Error('no players');
  const onFault = (error: unknown) => void faults.push(error);
  await playLive({ client, players: [first, ...others], now: Date.now, signal, onFault });
  expect([refused, faults]).toEqual([true, []]);
});
