import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { isMissing } from '../../api/problem.ts';
import { useCall } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, PageState, Skeleton } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useTime } from '../../layout/use-time.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { Erasure } from './erasure.tsx';
import { PlayerActs } from './player-acts.tsx';
import { isErasable, knowledgeOf, type PlayerKnowledge } from './player-knowledge.ts';
import { PlayerIdentities, PlayerSessions, PlayerTimeline } from './player-lists.tsx';
import { playersTexts } from './players-texts.ts';

export function PlayerPage(): ReactNode {
  const { accountId } = useParams({ from: '/p/$projectId/players/$accountId' });
  const { account, player, isGone, isUndecided, knowledge, erasures, events } = usePlayer(accountId);
  const isErasing = knowledge === 'erasing';
  return (
    <Page
      title={player?.displayName ?? accountId}
      actions={player !== undefined && !isErasing && <PlayerActs player={player} />}
    >
      {isGone ? (
        <NoAccount knowledge={isUndecided ? null : knowledge} />
      ) : (
        <PageState query={account}>{(data) => <Facts player={data} isErasing={isErasing} />}</PageState>
      )}
      {!isGone && (
        <div className="grid gap-3 xl:grid-cols-[3fr_2fr]">
          <PlayerSessions accountId={accountId} />
          <PlayerIdentities accountId={accountId} />
        </div>
      )}
      <PlayerTimeline events={events} />
      {knowledge !== 'unknown' && (
        <Erasure
          accountId={accountId}
          name={player?.displayName ?? accountId}
          erasures={erasures}
          isErasable={isErasable(knowledge)}
        />
      )}
    </Page>
  );
}

/** Null: not known yet. */
function NoAccount({ knowledge }: { readonly knowledge: PlayerKnowledge | null }): ReactNode {
  const texts = useTexts(playersTexts);
  if (knowledge === null) return <Skeleton lines={3} />;
  const [title, text] = {
    account: [texts.unknownTitle, texts.unknownText],
    erasing: [texts.erasingTitle, texts.erasingText],
    erased: [texts.erasedTitle, texts.erasedText],
    lateEvents: [texts.lateEventsTitle, texts.lateEventsText],
    eventsOnly: [texts.eventsOnlyTitle, texts.eventsOnlyText],
    unknown: [texts.unknownTitle, texts.unknownText],
  }[knowledge];
  return (
    <EmptyState icon={knowledge === 'unknown' ? 'search' : 'users'} title={title ?? ''} text={text ?? ''}>
      <Link to="/p/$projectId/players" from="/p/$projectId" className="text-accent underline">
        {texts.allPlayers}
      </Link>
    </EmptyState>
  );
}

interface FactsProps {
  readonly player: AnswerOf<'GET /v1/players/{accountId}'>;
  readonly isErasing: boolean;
}

function Facts({ player, isErasing }: FactsProps): ReactNode {
  const texts = useTexts(playersTexts);
  const formats = useFormats();
  const yes = (is: boolean) => (is ? texts.yes : texts.no);
  const facts = [
    [
      texts.account,
      <span key="id" className="font-mono text-sm">
        {player.id}
      </span>,
    ],
    [texts.email, player.emailAddress ?? '–'],
    [texts.created, formats.time(player.created)],
    [texts.lastSeen, player.lastSeen === null ? '–' : formats.time(player.lastSeen)],
    [texts.language, player.locale ?? '–'],
    [texts.password, yes(player.hasPassword)],
    [texts.factor, yes(player.hasSecondFactor)],
  ] as const;
  return (
    <Panel
      title={texts.account}
      actions={
        <Badge tone={isErasing || player.state === 'banned' ? 'bad' : 'plain'}>
          {isErasing ? texts.erasingTitle : texts[player.state]}
        </Badge>
      }
    >
      {player.ban !== null && (
        <p className="foreign pb-2 text-bad">
          {texts.bannedFor(player.ban.reason)},{' '}
          {player.ban.expires === null ? texts.forGood : texts.until(formats.time(player.ban.expires))}
        </p>
      )}
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] gap-3">
        {facts.map(([name, value]) => (
          <div key={name} className="flex flex-col">
            <dt className="text-sm text-soft">{name}</dt>
            <dd className="foreign">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

const pollMs = 1_000;

/** All that is known of the id of an account. While an erasure is under way, it is loaded again every second, the account until it is gone. */
function usePlayer(accountId: string) {
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
  const { range } = useTime();
  return useCall(
    'POST /v1/analyses/player',
    (times) => ({ body: { ...times, accountId, mostEvents: 500 } }),
    {
      key: `${accountId} ${range} ${erased}`,
      everyMs: (answer) =>
        erased > 0 && answer !== undefined && answer.results.length > 0 ? pollMs : undefined,
    },
  );
}
