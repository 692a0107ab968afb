import { ClickHouseLogLevel, createClient } from '@clickhouse/client';

const timeoutMs = 120_000;

/** Queries ClickHouse directly, without the product. */
export type StoredEvents = ReturnType<typeof watchStoredEvents>;

export function watchStoredEvents(clickhouseUrl: string) {
  const client = createClient({
    url: clickhouseUrl,
    request_timeout: 120_000,
    log: { level: ClickHouseLogLevel.OFF },
  });
  const read = async (query: string) => {
    const rows = await (await client.query({ query, format: 'JSONEachRow' })).json<{ n: string }>();
    return Number(rows[0]?.n ?? 0);
  };
  const count = () => read('SELECT count() AS n FROM tickrate.events');
  return {
    client,
    count,
    /** Resolves with the time once that many events are stored. */
    async reached(expected: number): Promise<number> {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const stored = await count();
        if (stored >= expected) return performance.now();
        if (performance.now() > deadline)
          throw new Error(`${expected - stored} events were not stored in time`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    /** Resolves with the count once it stays the same for two seconds. */
    async settled(): Promise<number> {
      let last = -1;
      for (;;) {
        const now = await count();
        if (now === last) return now;
        last = now;
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
    },
    /** Resolves once ClickHouse merges nothing. */
    async merged(): Promise<void> {
      while ((await read('SELECT count() AS n FROM system.merges')) > 0) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    close: () => client.close(),
  };
}
