import type { SampledEvent } from '@tickrate/warehouse';
import { valueAt } from '../live/event-filter.ts';

export interface MemberProfile {
  readonly member: string;
  /** The share of the sampled events that have a value. */
  readonly filled: number;
  /** The most frequent values as text, most frequent first. */
  readonly values: readonly { readonly value: string; readonly events: number }[];
}

const mostValues = 10;
const mostCharacters = 200;

/** Counts the scalar values of each member in a sample. Values beyond 200 characters are counted, and not shown. */
export function profileMembers(
  events: readonly Pick<SampledEvent, 'event'>[],
  members: readonly string[],
): MemberProfile[] {
  return members.map((member) => {
    const found = events
      .map(({ event }) => valueAt(event, member))
      .filter((value) => value !== undefined && value !== null);
    const counts = new Map<string, number>();
    for (const value of found) {
      const text = typeof value === 'object' ? null : String(value);
      if (text !== null && text.length <= mostCharacters) counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    const values = [...counts]
      .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
      .slice(0, mostValues)
      .map(([value, number]) => ({ value, events: number }));
    return { member, filled: events.length === 0 ? 0 : found.length / events.length, values };
  });
}
