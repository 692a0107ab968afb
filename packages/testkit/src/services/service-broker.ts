import { get } from 'node:http';
import { inject } from 'vitest';

export type ServiceName = 'postgres' | 'clickhouse' | 'redis';

export interface RunningService {
  readonly url: string;
  stop(): Promise<void>;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the run's broker, which starts a service when the first test file requests it. */
    readonly serviceBroker: string;
  }
}

/** The URL of a service of this run, which starts at the first request; null if each file starts its own. */
export async function askForService(name: ServiceName): Promise<string | null> {
  const { status, body } = await fetchText(new URL(name, inject('serviceBroker')));
  if (status !== 200) throw new Error(`The ${name} for tests did not start: ${body}`);
  return body === '' ? null : body;
}

// Not fetch: its pooled connection would outlive the test file and look like a leak.
function fetchText(url: URL): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  get(url, { agent: false }, (answer) => {
    let body = '';
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => {
      body += text;
    });
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    answer.on('error', reject);
  }).on('error', reject);
  return promise;
}
