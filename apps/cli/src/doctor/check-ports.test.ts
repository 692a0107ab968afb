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

test('a port that another program uses is reported with its purpose and advice', async () => {
  const port = await listen(404);
  const [finding] = await checkPorts(`http://127.0.0.1:${port}`, port - 3);
  expect(finding).toMatchObject({ check: 'Ports', state: 'warning' });
  expect(finding?.found).toContain(`${port} (clickhouse)`);
  expect(finding?.advice).toContain('--port');
});

test('the ports of a running installation are not reported', async () => {
  const port = await listen(200);
  expect(await checkPorts(`http://127.0.0.1:${port}`, port)).toEqual([]);
});
