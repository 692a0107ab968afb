import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react';
import { type AnswerOf, call } from '../../api/call.ts';
import { isWrongCode } from '../../api/problem.ts';
import { EmptyState, PageState } from '../../components/states/page-state.tsx';
import { RangePicker } from '../../layout/header/range-picker.tsx';
import { Page } from '../../layout/page.tsx';
import { Icon } from '../../look/icon.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { dashboardsTexts } from './dashboards-texts.ts';
import { FilterFields } from './filter-fields.tsx';
import { RefreshButton } from './refresh-button.tsx';
import { placeTiles } from './tiles/place-tiles.ts';
import { TileGrid } from './tiles/tile-grid.tsx';
import { type TileSource, TileSourceContext } from './tiles/use-tile.ts';
import { sharedTimesOf } from './use-dashboards.ts';

type Shared = AnswerOf<'POST /v1/shared'>;

/** A shared dashboard, for anyone with its link. The token is behind the `#`, so that no server logs it. */
export function SharedPage(): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const { zone } = useSearch({ from: '/shared' });
  const token = useSyncExternalStore(followHash, () => location.hash.slice(1));
  const shared = useQuery({
    queryKey: ['shared', token],
    queryFn: ({ signal }) => call('POST /v1/shared', { body: { token }, signal }),
    enabled: token !== '',
  });
  const isGone = token === '' || isWrongCode(shared.error);
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="no-print sticky top-0 z-40 flex h-11 items-center gap-2 border-b bg-panel px-4">
        <Icon name="activity" className="text-accent" />
        <span className="font-semibold">Tickrate</span>
        <span className="truncate text-soft">{texts.sharedBy}</span>
        <div className="flex-1" />
        {shared.data !== undefined && !isGone && (
          <>
            <RangePicker />
            <span className="text-sm text-soft">{zone}</span>
            <RefreshButton />
          </>
        )}
      </header>
      <main className="min-w-0 flex-1">
        {shared.data === undefined || isGone ? (
          <Page title={texts.sharedTitle}>
            {isGone ? (
              <EmptyState icon="link" title={texts.sharedGoneTitle} text={texts.sharedGoneText} />
            ) : (
              <PageState query={shared}>{() => null}</PageState>
            )}
          </Page>
        ) : (
          <SharedDashboard shared={shared.data} token={token} />
        )}
      </main>
    </div>
  );
}

function followHash(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

function SharedDashboard({ shared, token }: { readonly shared: Shared; readonly token: string }): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const formats = useFormats();
  const { name, content, expires } = shared;
  const { range, zone, values } = useSearch({ from: '/shared' });
  const navigate = useNavigate();
  const places = useMemo(() => placeTiles(content.tiles), [content.tiles]);
  const isReady = range !== undefined && zone !== undefined;
  // The server answers in the zone of the dashboard, so the page is in it too.
  useEffect(() => {
    if (isReady) return;
    const start = { ...sharedTimesOf(content), ...(range !== undefined && { range }) };
    void navigate({ to: '/shared', search: { values, ...start }, hash: true, replace: true });
  }, [isReady, range, values, content, navigate]);
  const source = useMemo<TileSource>(() => {
    const variables = new Map(
      (content.variables ?? []).map((each) => [each.name, values?.[each.name] ?? each.value]),
    );
    return {
      id: `shared ${token}`,
      variables,
      refreshSeconds: content.refreshSeconds ?? 0,
      refusedText: texts.sharedHidden,
      keyOf: (_, index) => index,
      ask: ({ index, range: times, signal }) =>
        call('POST /v1/shared/tiles/{tile}', {
          params: { tile: index },
          body: { token, range: times, variables: Object.fromEntries(variables) },
          signal,
        }),
    };
  }, [content, token, values, texts]);
  return (
    <Page
      title={name}
      actions={<span className="text-sm text-soft">{texts.sharedUntil(formats.time(expires))}</span>}
    >
      {content.description !== undefined && <p className="foreign -mt-2 text-soft">{content.description}</p>}
      <FilterFields content={content} />
      {isReady && (
        <TileSourceContext value={source}>
          <TileGrid tiles={content.tiles} places={places} />
        </TileSourceContext>
      )}
    </Page>
  );
}
