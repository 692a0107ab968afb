import type { TestServicesConfig } from '../config.ts';
import { startContainer } from './container.ts';
import { startEmbeddedClickHouse, startEmbeddedPostgres } from './embedded-services.ts';
import type { RunningService, ServiceName } from './service-broker.ts';

export interface TestServices {
  /** Resolves when the service answers. The first request starts it. Null: each file starts its own. */
  url(name: ServiceName): Promise<string | null>;
  /** Ends the services that this process started. */
  stop(): Promise<void>;
}

export function createTestServices(config: TestServicesConfig): TestServices {
  const started = new Map<ServiceName, Promise<RunningService | null>>();
  const starters: Record<ServiceName, () => Promise<RunningService | null>> = {
    postgres: () =>
      given(config.postgresUrl) ?? (config.containers ? startContainer('postgres') : startEmbeddedPostgres()),
    clickhouse: () =>
      given(config.clickhouseUrl) ??
      (config.containers ? startContainer('clickhouse') : startEmbeddedClickHouse()),
    redis: () =>
      given(config.redisUrl) ?? (config.containers ? startContainer('redis') : Promise.resolve(null)),
  };
  return {
    async url(name) {
      const running = started.get(name) ?? starters[name]();
      started.set(name, running);
      return (await running)?.url ?? null;
    },
    async stop() {
      const running = await Promise.allSettled(started.values());
      await Promise.all(
        running.map((service) => (service.status === 'fulfilled' ? service.value?.stop() : null)),
      );
    },
  };
}

function given(url: string | null): Promise<RunningService> | null {
  return url === null ? null : Promise.resolve({ url, stop: async () => undefined });
}
