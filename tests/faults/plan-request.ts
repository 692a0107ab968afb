import { randomUUID } from 'node:crypto';
import type { RememberedEvents } from './remembered-events.ts';
import type { SeededRandom } from './seeded-random.ts';

export const numberedType = {
  name: 'numbered',
  declaration: {
    type: 'object',
    required: ['n'],
    properties: { n: { type: 'integer', minimum: 0 }, text: { type: 'string', maxLength: 200 } },
  },
} as const;

export interface PlannedRequest {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it has an Idempotency-Key, or ids in its events. */
  readonly isRepeatable: boolean;
  readonly first: number;
  readonly count: number;
}

const text = 'a few words that make the event as long as events are'.repeat(2);

/** Puts new events into a request of a random kind. */
export function planRequest(events: RememberedEvents, random: SeededRandom): PlannedRequest {
  const eventType = numberedType.name;
  const call = random.pick(['insert', 'batchInsert', 'batchInsert', 'multiInsert'] as const);
  const count = call === 'insert' ? 1 : random.between(1, 60);
  const first = events.take(count);
  const all = Array.from({ length: count }, (_, index) => ({ n: first + index, text }));
  const isKeyed = random.next() < 0.3;
  const headers: Record<string, string> = isKeyed ? { 'Idempotency-Key': randomUUID() } : {};
  const path = `/v1/event/${call}?eventType=${eventType}`;
  const plain = { path, headers, first, count, isRepeatable: isKeyed };
  if (call === 'insert') return { ...plain, body: JSON.stringify(all[0]) };
  if (call === 'batchInsert') return { ...plain, body: JSON.stringify(all) };
  const elements = all.map((event) => ({ eventType, eventId: randomUUID(), event }));
  return {
    ...plain,
    path: '/v1/event/multiInsert?atomic=true',
    isRepeatable: true,
    body: JSON.stringify(elements),
  };
}
