import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { checkPorts } from './check-ports.ts';

/** A port that probably has free ones after it. */
async function listen(status: number): Promise<number> {
  const server = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

test('a port that another program has is told, with what it is for and what to do', async () => {
  const port = await listen(404);
  const [finding] = await checkPorts(`http://127.0.0.1:${port}`, port - 3);
  expect(finding).toMatchObject({ check: 'Ports', state: 'warning' });
  expect(finding?.found).toContain(`${port} (clickhouse)`);
  expect(finding?.advice).toContain('--port');
});

test('nothing is said of the ports of an installation that runs', async () => {
  const port = await listen(200);
  expect(await checkPorts(`http://127.0.0.1:${port}`, port)).toEqual([]);
});
