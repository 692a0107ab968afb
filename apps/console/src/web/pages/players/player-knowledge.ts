/** What the project knows of the id of an account. */
export interface PlayerFacts {
  readonly hasAccount: boolean;
  /** Of the erasures of the id. */
  readonly erasureStates: readonly string[];
  /** In the time range of the page. */
  readonly hasEvents: boolean;
}

export type PlayerKnowledge = 'account' | 'erasing' | 'erased' | 'lateEvents' | 'eventsOnly' | 'unknown';

export function knowledgeOf({ hasAccount, erasureStates, hasEvents }: PlayerFacts): PlayerKnowledge {
  if (erasureStates.some((state) => state !== 'done')) return 'erasing';
  if (hasAccount) return 'account';
  if (erasureStates.length > 0) return hasEvents ? 'lateEvents' : 'erased';
  return hasEvents ? 'eventsOnly' : 'unknown';
}

/** Whether an erasure would erase something that no other erasure does already. */
export function isErasable(knowledge: PlayerKnowledge): boolean {
  return knowledge === 'account' || knowledge === 'lateEvents' || knowledge === 'eventsOnly';
}
