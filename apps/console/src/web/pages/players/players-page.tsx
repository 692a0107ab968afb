import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../api/call.ts';
import { useList } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { CheckField } from '../../components/fields/check-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, PageState } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useChangeSearch } from '../../layout/use-change-search.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { valueTexts } from '../../texts/value-texts.ts';
import { playersTexts } from './players-texts.ts';
import { VerifyCertificate } from './verify-certificate.tsx';

export function PlayersPage(): ReactNode {
  const texts = useTexts(playersTexts);
  const { email, banned } = useSearch({ from: '/p/$projectId/players' });
  const navigate = useNavigate();
  const changeSearch = useChangeSearch();
  const [text, setText] = useState(email ?? '');
  const open = (accountId: string) =>
    void navigate({ from: '/p/$projectId', to: '/p/$projectId/players/$accountId', params: { accountId } });
  const players = useList('GET /v1/players', {
    query: { emailAddress: email, state: banned === true ? 'banned' : undefined },
  });
  return (
    <Page
      actions={
        <>
          <Form
            data-search
            className="flex flex-wrap items-center gap-3"
            onSubmit={() => {
              const wanted = text.trim();
              if (/^us?-/.test(wanted)) return open(wanted);
              changeSearch({ email: wanted === '' ? undefined : wanted });
            }}
          >
            <CheckField
              label={texts.onlyBanned}
              isChecked={banned === true}
              onChange={(isChecked) => changeSearch({ banned: isChecked || undefined })}
            />
            <TextField
              label={texts.search}
              isLabelHidden
              placeholder={texts.search}
              value={text}
              onChange={setText}
              type="search"
              className="w-72"
            />
            <Button type="submit" icon="search">
              {texts.searchAction}
            </Button>
          </Form>
          <VerifyCertificate />
        </>
      }
    >
      <PageState
        query={players.query}
        empty={
          email === undefined && banned !== true ? (
            <EmptyState icon="users" title={texts.emptyTitle} text={texts.emptyText} />
          ) : (
            <EmptyState icon="search" title={texts.notFound} />
          )
        }
      >
        {(rows) => <PlayerTable rows={rows} more={players.more} onOpen={open} />}
      </PageState>
    </Page>
  );
}

interface PlayerTableProps {
  readonly rows: readonly RowOf<'GET /v1/players'>[];
  readonly more: (() => void) | undefined;
  readonly onOpen: (accountId: string) => void;
}

function PlayerTable({ rows, more, onOpen }: PlayerTableProps): ReactNode {
  const texts = useTexts(playersTexts);
  const values = useTexts(valueTexts);
  const formats = useFormats();
  return (
    <Panel isFlush>
      <DataTable
        label={texts.players}
        rows={rows}
        keyOf={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        more={more}
        columns={[
          {
            title: texts.name,
            width: 'minmax(72px, 2fr)',
            render: ({ displayName }) => displayName ?? <span className="text-soft">{texts.noName}</span>,
          },
          { title: texts.account, width: '190px', look: 'code', render: ({ id }) => id },
          {
            title: texts.email,
            isDetail: true,
            width: 'minmax(120px, 2fr)',
            render: ({ emailAddress }) => emailAddress ?? '–',
          },
          {
            title: texts.providers,
            isDetail: true,
            width: 'minmax(120px, 1fr)',
            render: ({ providers }) => providers.map(values.method).join(', '),
          },
          {
            title: texts.state,
            width: '92px',
            render: ({ state }) => <Badge tone={state === 'banned' ? 'bad' : 'plain'}>{texts[state]}</Badge>,
          },
          {
            title: texts.created,
            isDetail: true,
            width: '190px',
            render: ({ created }) => formats.time(created),
          },
          {
            title: texts.lastSeen,
            isDetail: true,
            width: '190px',
            render: ({ lastSeen }) => (lastSeen === null ? '–' : formats.time(lastSeen)),
          },
        ]}
      />
    </Panel>
  );
}
