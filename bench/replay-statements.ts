import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { takeOrder } from './take-order.ts';

/** A statement as it was sent; with a name it is prepared. */
export interface RecordedStatement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

export interface ReplayOrder {
  readonly postgresUrl: string;
  readonly statements: readonly RecordedStatement[];
  readonly connections: number;
  readonly measureMs: number;
}

export interface BareRate {
  readonly perSecond: number;
  /** Of the measuring process itself. */
  readonly cpuMs: number;
}

// Repeats the statements of one sign-in and nothing else, with new ids and hashes each time.
takeOrder(async (order: ReplayOrder): Promise<BareRate> => {
  const before = process.cpuUsage();
  const perSecond = await replay(order);
  const { user, system } = process.cpuUsage(before);
  return { perSecond, cpuMs: (user + system) / 1_000 };
});

async function replay({ postgresUrl, statements, connections, measureMs }: ReplayOrder): Promise<number> {
  const clients = Array.from({ length: connections }, () => new pg.Client(postgresUrl));
  await Promise.all(clients.map((client) => client.connect()));
  const started = performance.now();
  let replayed = 0;
  const replayAgain = async (client: pg.Client) => {
    while (performance.now() - started < measureMs) {
      const fresh = createFreshValues();
      for (const { values = [], ...statement } of statements) {
        // Throttles belong to the client's address, which is the same in both measurements.
        const isShared = statement.text.includes('auth.throttles');
        await client.query({ ...statement, values: isShared ? [...values] : values.map(fresh) });
      }
      replayed++;
    }
  };
  await Promise.all(clients.map(replayAgain));
  const rate = replayed / ((performance.now() - started) / 1000);
  await Promise.all(clients.map((client) => client.end()));
  return rate;
}

/** The same value gives the same result, so that a statement finds the rows of an earlier one. */
function createFreshValues(): (value: unknown) => unknown {
  const made = new Map<string, unknown>();
  const remember = (name: string, make: () => unknown) => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name);
  };
  return (value) => {
    if (value instanceof Uint8Array && value.byteLength === 32) {
      return remember(Buffer.from(value).toString('hex'), () => randomBytes(32));
    }
    if (typeof value !== 'string') return value;
    const [id, prefix] =
      /^(x-|us-|[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-)[a-z0-9]{12,20}$/.exec(value) ?? [];
    if (id === undefined || prefix === undefined) return value;
    return remember(
      id,
      () =>
        prefix +
        randomBytes(10)
          .toString('hex')
          .slice(0, id.length - prefix.length),
    );
  };
}
