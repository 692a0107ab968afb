import type { Wait as Waits } from 'testcontainers';
import type { RunningService, ServiceName } from './service-broker.ts';

interface Recipe {
  readonly image: string;
  readonly port: number;
  readonly environment: Record<string, string>;
  readonly command: string[];
  readonly ready: (wait: typeof Waits) => ReturnType<typeof Waits.forLogMessage>;
  readonly url: (host: string, port: number) => string;
}

const recipes: Record<ServiceName, Recipe> = {
  postgres: {
    image: 'postgres:18',
    port: 5432,
    environment: { POSTGRES_PASSWORD: 'test' },
    command: ['postgres', '-c', 'fsync=off'],
    // Twice: the image starts once for its own setup.
    ready: (wait) => wait.forLogMessage('database system is ready to accept connections', 2),
    url: (host, port) => `postgres://postgres:test@${host}:${port}/postgres`,
  },
  clickhouse: {
    image: 'clickhouse/clickhouse-server:26.7',
    port: 8123,
    environment: { CLICKHOUSE_PASSWORD: 'test' },
    command: [],
    ready: (wait) => wait.forHttp('/ping', 8123),
    url: (host, port) => `http://default:test@${host}:${port}`,
  },
  redis: {
    image: 'valkey/valkey:9',
    port: 6379,
    environment: {},
    command: ['valkey-server', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'],
    ready: (wait) => wait.forLogMessage('Ready to accept connections'),
    url: (host, port) => `redis://${host}:${port}`,
  },
};

export async function startContainer(name: ServiceName): Promise<RunningService> {
  // Loaded only on request: it takes half a second and searches for a container engine.
  const { GenericContainer, Wait } = await import('testcontainers');
  const recipe = recipes[name];
  const container = await new GenericContainer(recipe.image)
    .withEnvironment(recipe.environment)
    .withCommand(recipe.command)
    .withExposedPorts(recipe.port)
    .withWaitStrategy(recipe.ready(Wait))
    .start();
  return {
    url: recipe.url(container.getHost(), container.getMappedPort(recipe.port)),
    stop: async () => {
      await container.stop();
    },
  };
}
