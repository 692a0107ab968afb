import type { MemberCondition } from '@tickrate/contract/conditions';

/** Which events a viewer of the live stream gets. Everything that is given must match. */
export interface EventFilter {
  readonly types?: readonly string[] | undefined;
  readonly accountId?: string;
  readonly sessionId?: string;
  readonly where: readonly MemberCondition[];
}

export interface FilteredEvent {
  readonly type: string;
  readonly accountId: string;
  readonly sessionId: string;
  /** Parses the event at its first use. */
  readonly members: () => Readonly<Record<string, unknown>>;
}

/** The same conditions as those of the analyses: an event without the member matches none. */
export function matches(filter: EventFilter, event: FilteredEvent): boolean {
  const { types, accountId, sessionId, where } = filter;
  if (types !== undefined && !types.includes(event.type)) return false;
  if (accountId !== undefined && accountId !== event.accountId) return false;
  if (sessionId !== undefined && sessionId !== event.sessionId) return false;
  return where.every((condition) => holds(condition, valueAt(event.members(), condition.member)));
}

/** Undefined if the event does not have the member. */
export function valueAt(members: object, path: string): unknown {
  let value: unknown = members;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

function holds({ is, value: wanted }: MemberCondition, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (typeof wanted !== 'number') return comparisons[is](compare(text, String(wanted)));
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return !Number.isNaN(number) && comparisons[is](compare(number, wanted));
}

function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const comparisons: Readonly<Record<MemberCondition['is'], (order: number) => boolean>> = {
  equal: (order) => order === 0,
  notEqual: (order) => order !== 0,
  less: (order) => order < 0,
  lessOrEqual: (order) => order <= 0,
  greater: (order) => order > 0,
  greaterOrEqual: (order) => order >= 0,
};
