/** One store that holds queues, as `QUEUE_URL` names it. */
export interface QueueAddress {
  readonly kind: 'redis' | 'postgres';
  readonly url: string;
  /** Host and port, fit for a log line. */
  readonly label: string;
}

/** `QUEUE_URL` is one URL or several, divided by commas. Throws a TypeError that names no password. */
export function parseQueueUrl(queueUrl: string): QueueAddress[] {
  const addresses = queueUrl
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '')
    .map(parseOne);
  if (addresses.length === 0) throw new TypeError('the queue URL is empty');
  return addresses;
}

/**
 * Names of the queues that one store holds: of the bulk lane, then of the express lane. The braces keep a queue's keys in
 * one slot of a Redis Cluster.
 */
export function queueNames(queue: string, shards: number): string[] {
  const names = (suffix: string) =>
    Array.from({ length: shards }, (_, shard) => `{${queue}-${shard}${suffix}}`);
  return [...names(''), ...names('-express')];
}

function parseOne(url: string): QueueAddress {
  if (!URL.canParse(url)) throw new TypeError('a queue URL cannot be read');
  const { protocol, host } = new URL(url);
  if (protocol === 'redis:' || protocol === 'rediss:') return { kind: 'redis', url, label: host };
  if (protocol === 'postgres:' || protocol === 'postgresql:') return { kind: 'postgres', url, label: host };
  throw new TypeError(`a queue URL begins with redis: or postgres:, not ${protocol}`);
}
