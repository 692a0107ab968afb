import { useEffect } from 'react';
import { isMissing } from '../../api/problem.ts';
import { useCall } from '../../api/use-call.ts';
import { useTime } from '../../layout/use-time.ts';
import { knowledgeOf } from './player-knowledge.ts';

const pollMs = 1_000;

/** All that is known of the id of an account. While an erasure is under way, it is loaded again every second, the account until it is gone. */
export function usePlayer(accountId: string) {
  const erasures = useCall(
    'GET /v1/erasures',
    { query: { accountId } },
    { everyMs: (answer) => (answer?.results.some(({ state }) => state !== 'done') ? pollMs : undefined) },
  );
  const erasureStates = erasures.data?.results.map(({ state }) => state) ?? [];
  const isErasing = erasureStates.some((state) => state !== 'done');
  const account = useCall(
    'GET /v1/players/{accountId}',
    { params: { accountId } },
    { everyMs: (_, error) => (isErasing && !isMissing(error) ? pollMs : undefined) },
  );
  // The last answer stays when the account is erased while the page is open.
  const isGone = isMissing(account.error);
  const erased = erasureStates.length - (isErasing ? 1 : 0);
  const { refetch: loadAccount } = account;
  // An answer of before the erasure can come after its certificate, which ends the loading every second.
  useEffect(() => {
    if (erased > 0) void loadAccount();
  }, [erased, loadAccount]);
  const events = usePlayerEvents(accountId, erased);
  const hasEvents = !events.isPlaceholderData && (events.data?.results.length ?? 0) > 0;
  return {
    account,
    erasures,
    events,
    player: isGone ? undefined : account.data,
    isGone,
    /** Whether a gone account may turn out to be erased, or to have events. */
    isUndecided: erasures.isPending || events.isPending || events.isPlaceholderData,
    knowledge: knowledgeOf({ hasAccount: !isGone, erasureStates, hasEvents }),
  };
}

/**
 * Events are loaded again after each erasure, and as long as there are any then: a query can still show erased events for a
 * moment.
 */
function usePlayerEvents(accountId: string, erased: number) {
  const { range, times } = useTime();
  return useCall('POST /v1/analyses/player', () => ({ body: { ...times(), accountId, mostEvents: 500 } }), {
    key: `${accountId} ${range} ${erased}`,
    everyMs: (answer) =>
      erased > 0 && answer !== undefined && answer.results.length > 0 ? pollMs : undefined,
  });
}
