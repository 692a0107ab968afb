import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { isMissing } from '../../api/problem.ts';
import { useCall } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Erasure } from './erasure.tsx';
import { PlayerActs } from './player-acts.tsx';
import { PlayerIdentities, PlayerSessions, PlayerTimeline } from './player-lists.tsx';
import { playersTexts } from './players-texts.ts';

export function PlayerPage(): ReactNode {
  const texts = useTexts(playersTexts);
  const { accountId } = useParams({ from: '/p/$projectId/players/$accountId' });
  const player = useCall('GET /v1/players/{accountId}', { params: { accountId } });
  return (
    <Page
      title={player.data?.displayName ?? accountId}
      actions={player.data !== undefined && <PlayerActs player={player.data} />}
    >
      <PageState query={player}>{(data) => <Facts player={data} />}</PageState>
      {!isMissing(player.error) && (
        <>
          <div className="grid gap-3 xl:grid-cols-[3fr_2fr]">
            <PlayerSessions accountId={accountId} />
            <PlayerIdentities accountId={accountId} />
          </div>
          <PlayerTimeline accountId={accountId} />
        </>
      )}
      <Erasure accountId={accountId} name={player.data?.displayName ?? accountId} />
      <span className="sr-only">{texts.title}</span>
    </Page>
  );
}

function Facts({ player }: { readonly player: AnswerOf<'GET /v1/players/{accountId}'> }): ReactNode {
  const texts = useTexts(playersTexts);
  const formats = useFormats();
  const yes = (is: boolean) => (is ? texts.yes : texts.no);
  const facts = [
    [
      texts.id,
      <span key="id" className="font-mono text-sm">
        {player.id}
      </span>,
    ],
    [texts.email, player.emailAddress ?? '–'],
    [texts.created, formats.time(player.created)],
    [texts.lastSeen, player.lastSeen === null ? '–' : formats.time(player.lastSeen)],
    [texts.locale, player.locale ?? '–'],
    [texts.password, yes(player.hasPassword)],
    [texts.factor, yes(player.hasSecondFactor)],
  ] as const;
  return (
    <Panel
      title={texts.facts}
      actions={<Badge tone={player.state === 'banned' ? 'bad' : 'plain'}>{texts[player.state]}</Badge>}
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
