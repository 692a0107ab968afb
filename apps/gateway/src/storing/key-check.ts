import { systemError } from '@tickrate/contract';
import { type Ledger, readKey } from '@tickrate/pipeline';
import { RecentMap, settleWithin } from '@tickrate/platform';
import type { KeyedRows } from './idempotency.ts';

/** Finds an Idempotency-Key that was used with another body. */
export interface KeyCheck {
  /** Throws 8010 if this gateway saw one of the keys with another body. */
  begin(projectId: string, keyed: readonly KeyedRows[]): Checked;
}

export interface Checked {
  /** Rejects with 8010 if the ledger has one of the keys with another body. Resolves if the ledger does not answer. */
  readonly passed: Promise<void> | null;
  /** The rows were not accepted. */
  fail(): void;
}

export interface KeyCheckDeps {
  readonly ledger: Pick<Ledger, 'reusedKeys'>;
  readonly onFault: (error: unknown) => void;
  readonly now: () => number;
}

const recentKeys = 100_000;
const mostPerLookup = 5_000;
/** The pauses after a fault, and the timeout of an answer. */
const timeoutMs = 1_000;
const nothing: Checked = { passed: null, fail: () => undefined };

interface Lookup {
  readonly projectId: string;
  readonly key: string;
  readonly settle: (isReused: boolean) => void;
}

/**
 * The ledger drops the rows of a repeated key in any case; this check only decides the answer. It runs while the queue
 * stores the rows. One query serves all requests that arrived during the last one. Recent keys cover the time until the
 * ledger knows them.
 */
export function createKeyCheck({ ledger, onFault, now }: KeyCheckDeps): KeyCheck {
  const recent = new RecentMap<string, number>(recentKeys);
  let waiting: Lookup[] = [];
  let isAsking = false;
  let closedUntilMs = Number.NEGATIVE_INFINITY;

  async function ask(): Promise<void> {
    isAsking = true;
    while (waiting.length > 0) {
      const asked = waiting.slice(0, mostPerLookup);
      waiting = waiting.slice(mostPerLookup);
      const reused = now() < closedUntilMs ? [] : await lookUp(asked);
      const found = new Set<unknown>(reused);
      for (const each of asked) each.settle(found.has(each));
    }
    isAsking = false;
  }

  async function lookUp(asked: readonly Lookup[]): Promise<readonly unknown[]> {
    try {
      const reused = ledger.reusedKeys(asked);
      return await settleWithin(timeoutMs, reused, () => new Error('the ledger did not answer in time'));
    } catch (error) {
      closedUntilMs = now() + timeoutMs;
      onFault(error);
      return [];
    }
  }

  /** Null if the ledger is not needed: this gateway saw the key with this body. */
  function note(projectId: string, key: string): string | null {
    const { name, body } = readKey(key);
    if (body === null) return null;
    const known = recent.get(`${projectId} ${name}`);
    if (known === body) return null;
    if (known !== undefined) throw systemError('idempotencyKeyReused');
    return `${projectId} ${name}`;
  }

  return {
    begin(projectId, keyed) {
      const fresh = keyed.flatMap(({ key }) => {
        const place = note(projectId, key);
        return place === null ? [] : [{ place, key }];
      });
      if (fresh.length === 0) return nothing;
      for (const { place, key } of fresh) recent.set(place, readKey(key).body ?? 0);
      const forget = () => {
        for (const { place } of fresh) recent.delete(place);
      };
      const answers = fresh.map(({ key }) => {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        waiting.push({ projectId, key, settle: resolve });
        return promise;
      });
      if (!isAsking) void ask();
      const passed = Promise.all(answers).then((reused) => {
        if (!reused.includes(true)) return;
        forget();
        throw systemError('idempotencyKeyReused');
      });
      // The queue may reject first; then its error is the answer.
      passed.catch(() => undefined);
      return { passed, fail: forget };
    },
  };
}
