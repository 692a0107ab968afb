const watched = new Set([
  'TCPSocketWrap',
  'TCPServerWrap',
  'PipeWrap',
  'ProcessWrap',
  'FSEventWrap',
  'UDPWrap',
  'Worker',
]);

export type OpenResources = ReadonlyMap<string, number>;

/** The resources that keep this process alive, by kind. Timers are left out, because the runner uses one to wait. */
export function countOpenResources(): OpenResources {
  const kinds = process.getActiveResourcesInfo().filter((kind) => watched.has(kind));
  return new Map(
    Array.from(
      Map.groupBy(kinds, (kind) => kind),
      ([kind, all]) => [kind, all.length],
    ),
  );
}

/** The resources that are open now and were not before: `2 TCPSocketWrap, 1 ProcessWrap`; '' for none. */
export function describeLeaks(before: OpenResources): string {
  return Array.from(countOpenResources(), ([kind, count]) => ({
    kind,
    more: count - (before.get(kind) ?? 0),
  }))
    .filter(({ more }) => more > 0)
    .map(({ kind, more }) => `${more} ${kind}`)
    .join(', ');
}
