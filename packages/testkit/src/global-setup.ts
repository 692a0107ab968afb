import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { TestProject } from 'vitest/node';
import { readTestServicesConfig } from './config.ts';
import { createTestServices, type TestServices } from './services/test-services.ts';

/** Runs once for a whole run. Starts only a broker: a service starts when a test file requests it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const services = createTestServices(readTestServicesConfig());
  const server = createServer((request, response) => {
    void answer(services, (request.url ?? '/').slice(1), response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The broker has no TCP address');
  project.provide('serviceBroker', `http://127.0.0.1:${address.port}/`);

  return async () => {
    server.close();
    server.closeAllConnections();
    await services.stop();
  };
}

async function answer(services: TestServices, name: string, response: ServerResponse): Promise<void> {
  try {
    if (name !== 'postgres' && name !== 'clickhouse' && name !== 'redis')
      throw new Error(`No service ${name}`);
    const url = await services.url(name);
    response.end(url ?? '');
  } catch (error) {
    response.statusCode = 500;
    response.end(error instanceof Error ? error.stack : String(error));
  }
}
