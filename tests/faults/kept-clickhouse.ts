import { setTimeout as delay } from 'node:timers/promises';
import { startClickHouseServer, waitUntil } from '@tickrate/testkit';

/** Rejects with the server's answer when it is an error. */
export type Ask = (sql: string) => Promise<string>;

export interface KeptClickHouse {
  readonly ask: Ask;
  /** Resolves when the next one answers. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Restarts a server that ends, as `npm start` does. */
export async function keepClickHouse(folder: string): Promise<KeptClickHouse> {
  const server = await startClickHouseServer(folder);
  const { origin, username, password } = new URL(server.url);
  const headers = { Authorization: `Basic ${btoa(`${username}:${password}`)}`, Connection: 'close' };
  const ask: Ask = async (body) => {
    const answer = await fetch(origin, { method: 'POST', headers, body });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(text);
    return text.trim();
  };
  const until = { timeoutMs: 30_000, what: 'the server to answer' };
  const answers = () => ask('SELECT 1').then(Boolean, () => false);
  let isStopped = false;
  const keeping = keep();

  async function keep(): Promise<void> {
    for (;;) {
      await server.ended();
      while (!isStopped && !(await relaunched())) await delay(200);
      if (isStopped) return;
    }
  }

  function relaunched(): Promise<boolean> {
    return server.restart().then(
      () => true,
      () => false,
    );
  }

  return {
    ask,
    async restart() {
      await waitUntil(answers, until);
      await server.kill();
      await waitUntil(answers, until);
    },
    async stop() {
      isStopped = true;
      await server.stop();
      await keeping;
    },
  };
}
