import { Link, useParams, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { fillTile } from '../../../tiles/fill-tile.ts';
import { toProblem } from '../../api/problem.ts';
import { useAct, useCall, useProjectId } from '../../api/use-call.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialogs/dialog.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { EmptyState, PageState, ProblemNote } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { dashboardsTexts } from './dashboards-texts.ts';
import { DashboardActions } from './editing/dashboard-actions.tsx';
import { useDraft } from './editing/use-draft.ts';
import { FilterFields } from './filter-fields.tsx';
import { askTile } from './tiles/load-tile.ts';
import { originOf } from './tiles/origin-of.ts';
import { closeGaps, type Place, placeTiles } from './tiles/place-tiles.ts';
import { TileGrid } from './tiles/tile-grid.tsx';
import { type TileSource, TileSourceContext } from './tiles/use-tile.ts';
import { type Content, type DashboardRow, type Tile, useEvery } from './use-dashboards.ts';

// Who only reads a dashboard does not load what edits it.
const TileDialog = lazy(async () => ({ default: (await import('./tiles/tile-dialog.tsx')).TileDialog }));
const SettingsDialog = lazy(async () => ({
  default: (await import('./editing/settings-dialog.tsx')).SettingsDialog,
}));

export function DashboardPage(): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const { id } = useParams({ from: '/p/$projectId/dashboards/$id' });
  const dashboard = useCall('GET /v1/dashboards/{id}', { params: { id } });
  const isMissing = dashboard.error !== null && toProblem(dashboard.error).reason === 'objectNotFound';
  if (!isMissing && dashboard.data?.id === id) return <OpenDashboard dashboard={dashboard.data} />;
  return (
    <Page>
      {isMissing ? (
        <EmptyState icon="layers" title={texts.missingTitle} text={texts.missingText}>
          <Link to="/p/$projectId/dashboards" from="/p/$projectId" className="text-accent hover:underline">
            {texts.toList}
          </Link>
        </EmptyState>
      ) : (
        <PageState query={dashboard}>{() => null}</PageState>
      )}
    </Page>
  );
}

/** One dashboard of the project: read, or edited in a draft until it is saved. */
function OpenDashboard({ dashboard }: { readonly dashboard: DashboardRow }): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const { draft, hasChanges, begin, change, end } = useDraft(dashboard);
  const [dialog, setDialog] = useState<'settings' | 'add' | 'discard' | number | null>(null);
  const discard = () => {
    setDialog(null);
    end();
  };
  const { name, content } = draft ?? dashboard;
  const full = useFullScreen();
  const source = useProjectTiles(content);
  const places = useMemo(() => placeTiles(content.tiles), [content.tiles]);
  const setTiles = (tiles: readonly Tile[], where: readonly Place[] = placeTiles(tiles)) =>
    change({ content: { ...content, tiles: withPlaces(tiles, where) } });
  const put = (tile: Tile) => {
    if (typeof dialog === 'number') setTiles(content.tiles.with(dialog, tile));
    else setTiles([...withPlaces(content.tiles, places), tile]);
    setDialog(null);
  };
  const addTile = (
    <Button
      icon="plus"
      needs="queries:write"
      onPress={() => {
        if (draft === null) begin();
        setDialog('add');
      }}
    >
      {texts.addTile}
    </Button>
  );
  return (
    <Page
      title={name}
      actions={
        draft === null ? (
          <DashboardActions dashboard={dashboard} onEdit={begin} onFullScreen={full.enter} />
        ) : (
          <>
            {addTile}
            <Button icon="settings" onPress={() => setDialog('settings')}>
              {texts.settings}
            </Button>
            <Button onPress={hasChanges ? () => setDialog('discard') : end}>{texts.discard}</Button>
            <SaveButtons draft={draft} dashboard={dashboard} onEnd={end} />
          </>
        )
      }
    >
      {content.description !== undefined && <p className="foreign -mt-2 text-soft">{content.description}</p>}
      {draft === null && hasChanges && (
        <div
          role="note"
          className="no-print flex flex-wrap items-center gap-2 rounded-md bg-raised px-3 py-2"
        >
          <span className="flex-1">{texts.unsaved}</span>
          <Button look="primary" onPress={begin}>
            {texts.continueEditing}
          </Button>
          <Button onPress={() => setDialog('discard')}>{texts.discard}</Button>
        </div>
      )}
      {draft !== null && <p className="no-print -mt-1 text-soft">{texts.editing}</p>}
      <FilterFields content={content} />
      <TileSourceContext value={source}>
        {content.tiles.length === 0 ? (
          <EmptyState icon="layers" title={texts.emptyTiles} text={texts.emptyTilesText}>
            {addTile}
          </EmptyState>
        ) : (
          <TileGrid
            tiles={content.tiles}
            places={places}
            isFilling={full.isFull}
            edit={
              draft === null
                ? undefined
                : {
                    onPlaces: (next) => setTiles(content.tiles, next),
                    onEdit: setDialog,
                    onRemove: (index) =>
                      setTiles(content.tiles.toSpliced(index, 1), closeGaps(places.toSpliced(index, 1))),
                  }
            }
          />
        )}
        <Dialog title={texts.discardTitle} isOpen={dialog === 'discard'} onClose={() => setDialog(null)}>
          <p>{texts.discardText}</p>
          <DialogActions>
            <Button onPress={() => setDialog(null)}>{texts.keepChanges}</Button>
            <Button look="danger" onPress={discard}>
              {texts.discard}
            </Button>
          </DialogActions>
        </Dialog>
        <Suspense>
          {(dialog === 'add' || typeof dialog === 'number') && (
            <TileDialog
              tile={typeof dialog === 'number' ? content.tiles[dialog] : undefined}
              onClose={() => setDialog(null)}
              onDone={put}
            />
          )}
          {dialog === 'settings' && draft !== null && (
            <SettingsDialog
              draft={draft}
              onClose={() => setDialog(null)}
              onDone={(changed) => {
                change(changed);
                setDialog(null);
              }}
            />
          )}
        </Suspense>
      </TileSourceContext>
      {full.isFull && (
        <IconButton
          look="plain"
          icon="minimize"
          label={texts.leaveFullScreen}
          className="fixed top-3 right-4 print:hidden"
          onPress={full.leave}
        />
      )}
    </Page>
  );
}

function withPlaces(tiles: readonly Tile[], places: readonly Place[]): Tile[] {
  return tiles.map(({ columns: _, ...tile }, index) => {
    const position = places[index];
    return position === undefined ? tile : { ...tile, position };
  });
}

/** The tiles of a dashboard of this project, with the rights of the user. */
function useProjectTiles(content: Content): TileSource {
  const projectId = useProjectId();
  const saved = useEvery('GET /v1/saved-queries');
  const { values, refresh } = useSearch({ from: '/p/$projectId/dashboards/$id' });
  const isWaiting = saved.isPending && content.tiles.some(({ savedQueryId }) => savedQueryId !== undefined);
  return useMemo(() => {
    const queries = new Map(saved.data?.map((each) => [each.id, each.content]));
    const contentOf = ({ savedQueryId = '' }: Tile) => queries.get(savedQueryId) ?? null;
    const variables = new Map(
      (content.variables ?? []).map(({ name, value }) => [name, values?.[name] ?? value]),
    );
    return {
      id: projectId,
      variables,
      refreshSeconds: refresh ?? content.refreshSeconds ?? 0,
      isWaiting: ({ savedQueryId }) => savedQueryId !== undefined && isWaiting,
      keyOf: contentOf,
      originOf: (tile) => originOf(tile, contentOf(tile), variables),
      ask: async ({ tile, range, zone, signal }) => {
        const filled = fillTile(tile, { saved: contentOf(tile), range, timeZone: zone, variables });
        return filled === null ? undefined : askTile(filled, { projectId, signal });
      },
    };
  }, [projectId, saved.data, isWaiting, content.variables, content.refreshSeconds, values, refresh]);
}

interface SaveButtonsProps {
  readonly draft: NonNullable<ReturnType<typeof useDraft>['draft']>;
  readonly dashboard: DashboardRow;
  readonly onEnd: () => void;
}

function SaveButtons({ draft, dashboard, onEnd }: SaveButtonsProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const current = useCall('GET /v1/dashboards/{id}', { params: { id: dashboard.id } });
  const save = useAct('PATCH /v1/dashboards/{id}', {
    changes: ['GET /v1/dashboards', 'GET /v1/dashboards/{id}'],
    onDone: () => {
      onEnd();
      showToast(texts.saved);
    },
  });
  const { name, content } = draft;
  const send = (version: string) =>
    save.mutate({ params: { id: dashboard.id }, body: { name, content, version } });
  const isChangedElsewhere = save.error?.reason === 'objectChanged';
  return (
    <>
      <Button look="primary" icon="save" isDisabled={save.isPending} onPress={() => send(draft.version)}>
        {texts.save}
      </Button>
      {save.error !== null && (
        <div className="flex w-full flex-wrap items-center justify-end gap-2">
          <ProblemNote problem={save.error} />
          {isChangedElsewhere && (
            <Button
              onPress={async () => {
                const { data: present } = await current.refetch();
                if (present !== undefined) send(present.version);
              }}
            >
              {texts.overwrite}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

/** Shows the page without what surrounds it, on the whole screen where the browser permits that. */
function useFullScreen() {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    if (!isFull) return;
    const root = document.documentElement;
    root.dataset['full'] = '';
    root.requestFullscreen().catch(() => undefined);
    const onChange = () => document.fullscreenElement === null && setFull(false);
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && setFull(false);
    document.addEventListener('fullscreenchange', onChange);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('fullscreenchange', onChange);
      document.removeEventListener('keydown', onKey);
      delete root.dataset['full'];
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    };
  }, [isFull]);
  return { isFull, enter: () => setFull(true), leave: () => setFull(false) };
}
