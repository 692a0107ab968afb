import { afterAll } from 'vitest';
import { waitUntil } from './wait-until.ts';

const watched = new Set([
  'TCPSocketWrap',
  'TCPServerWrap',
  'PipeWrap',
  'ProcessWrap',
  'FSEventWrap',
  'UDPWrap',
  'Worker',
]);

// A setup file of every project that uses services: its hook was registered first, so it runs last.
const before = countResources();

afterAll(async () => {
  await waitUntil(() => leaks() === '', { timeoutMs: 3_000 }).catch(() => {
    throw new Error(`This test file left open: ${leaks()}`);
  });
});

function leaks(): string {
  return [...countResources()]
    .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
    .filter(([, more]) => more > 0)
    .map(([name, more]) => `${more} ${name}`)
    .join(', ');
}

function countResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) {
    if (watched.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
