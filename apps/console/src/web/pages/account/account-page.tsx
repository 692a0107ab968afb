import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { projectsQuery } from '../../api/session.ts';
import { useAct, useCall } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState, ProblemNote } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { valueTexts } from '../../texts/value-texts.ts';
import { accountTexts } from './account-texts.ts';
import { SecondFactor } from './second-factor.tsx';

/** What belongs to the user and to no project: the address, the second factor, the sessions. */
export function AccountPage(): ReactNode {
  const texts = useTexts(accountTexts);
  const account = useCall('GET /session/account');
  return (
    <Page title={texts.title}>
      <PageState query={account}>
        {({ emailAddress, emailVerified, hasTwoFactor }) => (
          <div className="grid gap-3 lg:grid-cols-2">
            <Panel title={texts.email}>
              <p className="foreign flex items-center gap-2">
                {emailAddress ?? texts.noAddress}
                {emailAddress !== null && !emailVerified && <Badge tone="bad">{texts.unverified}</Badge>}
              </p>
            </Panel>
            <SecondFactor isOn={hasTwoFactor} emailAddress={emailAddress} />
          </div>
        )}
      </PageState>
      <SessionList />
    </Page>
  );
}

type OwnSession = AnswerOf<'GET /session/all'>['sessions'][number];

function SessionList(): ReactNode {
  const texts = useTexts(accountTexts);
  const formats = useFormats();
  const sessions = useCall('GET /session/all', {}, { everyMs: 60_000 });
  const endOthers = useAct('DELETE /session/others', {
    changes: ['GET /session/all'],
    onDone: ({ ended }) => showToast(texts.endedOthers(formats.number(ended))),
  });
  const hasOthers = (sessions.data?.sessions.length ?? 0) > 1;
  return (
    <Panel
      title={texts.sessions}
      isFlush
      actions={
        hasOthers && (
          <Button isDisabled={endOthers.isPending} onPress={() => endOthers.mutate({})}>
            {texts.endOthers}
          </Button>
        )
      }
    >
      <p className="px-3 pb-2 text-soft">{texts.sessionsText}</p>
      <ProblemNote problem={endOthers.error} />
      <PageState query={sessions}>{(answer) => <SessionTable sessions={answer.sessions} />}</PageState>
    </Panel>
  );
}

function SessionTable({ sessions }: { readonly sessions: readonly OwnSession[] }): ReactNode {
  const values = useTexts(valueTexts);
  const texts = useTexts(accountTexts);
  const formats = useFormats();
  const { data: projects } = useQuery(projectsQuery);
  const end = useAct('DELETE /session/sessions/{id}', {
    changes: ['GET /session/all'],
    onDone: () => showToast(texts.ended),
  });
  const at = (seconds: number) => formats.time(new Date(seconds * 1000).toISOString());
  return (
    <>
      <ProblemNote problem={end.error} />
      <DataTable
        label={texts.sessions}
        rows={sessions.toSorted((a, b) => Number(b.current) - Number(a.current) || b.start - a.start)}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.started, width: '180px', render: ({ start }) => at(start) },
          {
            title: texts.how,
            width: 'minmax(140px, 1fr)',
            render: ({ amr }) => amr.map(values.method).join(', '),
          },
          {
            title: texts.project,
            width: 'minmax(140px, 1fr)',
            render: ({ projectId }) => projects?.find(({ id }) => id === projectId)?.name ?? projectId,
          },
          { title: texts.expires, width: '180px', render: ({ expiry }) => at(expiry) },
          {
            title: '',
            isNumber: true,
            width: '130px',
            render: ({ id, start, current }) =>
              current ? (
                <Badge tone="accent">{texts.thisSession}</Badge>
              ) : (
                <Button
                  look="quiet"
                  className="-mr-2.5 h-6"
                  aria-label={texts.endOf(at(start))}
                  isDisabled={end.isPending}
                  onPress={() => end.mutate({ params: { id } })}
                >
                  {texts.end}
                </Button>
              ),
          },
        ]}
      />
    </>
  );
}
