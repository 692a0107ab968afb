import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useAct, useList } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { ListPanel } from '../../components/data-table.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState, ProblemNote } from '../../components/states/page-state.tsx';
import { useTime } from '../../layout/use-time.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { valueTexts } from '../../texts/value-texts.ts';
import { playersTexts } from './players-texts.ts';

interface OfPlayer {
  readonly accountId: string;
}

export function PlayerSessions({ accountId }: OfPlayer): ReactNode {
  const texts = useTexts(playersTexts);
  const formats = useFormats();
  const sessions = useList('GET /v1/players/{accountId}/sessions', { params: { accountId } });
  const changes = ['GET /v1/players/{accountId}/sessions', 'GET /v1/players/{accountId}'] as const;
  const end = useAct('DELETE /v1/players/{accountId}/sessions/{sessionId}', { changes });
  const endAll = useAct('DELETE /v1/players/{accountId}/sessions', {
    changes,
    onDone: ({ ended }) => showToast(texts.ended(formats.number(ended))),
  });
  const values = useTexts(valueTexts);
  const states = { live: texts.live, expired: texts.expired, ended: texts.endedState };
  return (
    <ListPanel
      title={texts.sessions}
      actions={
        <Button
          needs="players:write"
          look="quiet"
          isDisabled={endAll.isPending}
          onPress={() => endAll.mutate({ params: { accountId } })}
        >
          {texts.endAll}
        </Button>
      }
      list={sessions}
      empty={<p className="p-3 text-soft">{texts.noSessions}</p>}
      keyOf={({ id }) => id}
      height={240}
      columns={[
        { title: texts.started, width: '180px', render: ({ started }) => formats.time(started) },
        { title: texts.state, width: '84px', render: ({ state }) => states[state] },
        {
          title: texts.by,
          width: 'minmax(136px, 1fr)',
          render: ({ amr }) => amr.map(values.method).join(', '),
        },
        {
          title: texts.address,
          width: 'minmax(128px, 1fr)',
          look: 'code',
          render: ({ clientAddress }) => clientAddress,
        },
        {
          title: '',
          width: '100px',
          isNumber: true,
          render: ({ id, state }) =>
            state === 'live' && (
              <Button
                needs="players:write"
                look="quiet"
                className="h-6"
                onPress={() => end.mutate({ params: { accountId, sessionId: id } })}
              >
                {texts.end}
              </Button>
            ),
        },
      ]}
    >
      <ProblemNote problem={end.error ?? endAll.error} />
    </ListPanel>
  );
}

export function PlayerIdentities({ accountId }: OfPlayer): ReactNode {
  const texts = useTexts(playersTexts);
  const values = useTexts(valueTexts);
  const formats = useFormats();
  const { query } = useList('GET /v1/players/{accountId}/identities', { params: { accountId } });
  return (
    <Panel title={texts.identities}>
      <PageState query={query} empty={<p className="text-soft">{texts.noIdentities}</p>}>
        {(rows) => (
          <ul className="flex flex-col gap-1">
            {rows.map(({ id, provider, subject, displayName, linked }) => (
              <li key={id} className="flex flex-wrap items-baseline gap-x-3">
                <span className="foreign font-medium">{values.method(provider)}</span>
                <span className="foreign">{displayName}</span>
                <span className="foreign font-mono text-sm text-soft">{subject}</span>
                <span className="ml-auto text-soft">{formats.day(linked)}</span>
              </li>
            ))}
          </ul>
        )}
      </PageState>
    </Panel>
  );
}

interface PlayerTimelineProps {
  readonly events: UseQueryResult<AnswerOf<'POST /v1/analyses/player'>>;
}

const longRange = '90d';

export function PlayerTimeline({ events }: PlayerTimelineProps): ReactNode {
  const texts = useTexts(playersTexts);
  const { range, setRange } = useTime();
  const formats = useFormats();
  return (
    <ListPanel
      title={texts.events}
      list={{ query: events }}
      empty={
        <div className="flex flex-wrap items-center gap-3 p-3 text-soft">
          {texts.noEvents}
          {range !== longRange && <Button onPress={() => setRange(longRange)}>{texts.longRange}</Button>}
        </div>
      }
      keyOf={({ eventId }) => eventId}
      height={360}
      columns={[
        { title: texts.time, width: '190px', render: ({ occurred }) => formats.time(occurred) },
        { title: texts.type, width: '180px', look: 'code', render: ({ type }) => type },
        {
          title: texts.event,
          width: 'minmax(200px, 4fr)',
          look: 'softCode',
          render: ({ event }) => JSON.stringify(event),
        },
      ]}
    />
  );
}
