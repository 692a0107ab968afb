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

/** What keeps this process alive, by kind. Timers are left out: a wait of the runner's own is one. */
export function countOpenResources(): OpenResources {
  const kinds = process.getActiveResourcesInfo().filter((kind) => watched.has(kind));
  return new Map(
    Array.from(
      Map.groupBy(kinds, (kind) => kind),
      ([kind, all]) => [kind, all.length],
    ),
  );
}

/** What is open now and was not then: `2 TCPSocketWrap, 1 ProcessWrap`; '' when nothing is. */
export function describeLeaks(before: OpenResources): string {
  return Array.from(countOpenResources(), ([kind, count]) => ({
    kind,
    more: count - (before.get(kind) ?? 0),
  }))
    .filter(({ more }) => more > 0)
    .map(({ kind, more }) => `${more} ${kind}`)
    .join(', ');
}
