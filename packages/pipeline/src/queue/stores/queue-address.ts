/** One store of queues in `QUEUE_URL`. */
export interface QueueAddress {
  readonly kind: 'redis' | 'postgres';
  readonly url: string;
  /** Host and port, for log lines. It contains no password. */
  readonly label: string;
}

/** Reads `QUEUE_URL`: one URL, or several separated by commas. Throws a TypeError that contains no password. */
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
 * The names of the queues of one store: first the bulk lane, then the express lane. The braces keep the keys of a queue
 * in one slot of a Redis Cluster.
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
