import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { isUnreachable } from '../api/query-client.ts';
import { sessionQuery } from '../api/session.ts';
import { useCall, useProjectId } from '../api/use-call.ts';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Forbidden } from '../components/states/page-state.tsx';
import { GrantedContext, useMay } from '../components/states/permissions.tsx';
import { useKeys } from '../keyboard/use-keys.ts';
import { Icon } from '../look/icon.tsx';
import { changePreferences } from '../look/preferences.ts';
import { demoTexts } from '../pages/overview/demo-texts.ts';
import { useFormats, useTexts } from '../texts/use-texts.ts';
import { type Command, CommandPalette } from './header/command-palette.tsx';
import { Header, ZonePicker } from './header/header.tsx';
import { layoutTexts } from './layout-texts.ts';
import { Page } from './page.tsx';
import { type PageId, pageAt, pageList, visiblePages } from './page-list.ts';
import { SessionGuard } from './session/session-guard.tsx';

/** What surrounds every page of a project. The role decides what is shown. */
export function Shell(): ReactNode {
  const { data: session } = useQuery({ ...sessionQuery, refetchInterval: 60_000 });
  return (
    <GrantedContext value={session?.permissions ?? null}>
      <Surroundings />
    </GrantedContext>
  );
}

function Surroundings(): ReactNode {
  const texts = useTexts(layoutTexts);
  const [open, setOpen] = useState<'palette' | 'help' | 'menu' | null>(null);
  const close = () => setOpen(null);
  const goTo = useGoTo();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is open belongs to the page where it was opened
  useEffect(close, [pathname]);
  useKeys({
    'mod+k': () => setOpen('palette'),
    '?': () => setOpen('help'),
    '/': () => {
      if (!focusSearch()) setOpen('palette');
    },
    ...Object.fromEntries(pageList.map(({ id, key }) => [`g ${key}`, () => goTo(id)])),
  });
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-panel focus:p-2"
      >
        {texts.skip}
      </a>
      <Header onMenu={() => setOpen(open === 'menu' ? null : 'menu')} onPalette={() => setOpen('palette')} />
      <ConnectionNote />
      <DemoNote />
      <div className="flex min-h-0 flex-1">
        <div
          className={`no-print sticky top-11 h-[calc(100dvh-44px)] w-48 shrink-0 overflow-auto border-r bg-panel ${open === 'menu' ? 'max-md:fixed max-md:z-30' : 'max-md:hidden'}`}
        >
          <Navigation onChoose={close} />
          {open === 'menu' && (
            <div className="border-t p-2 sm:hidden">
              <ZonePicker />
            </div>
          )}
        </div>
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <PermittedPage />
        </main>
      </div>
      <KeyHelp isOpen={open === 'help'} onClose={close} />
      {open === 'palette' && <Palette onClose={close} />}
      <SessionGuard />
    </div>
  );
}

interface NavigationProps {
  /** Called when a page was chosen: on a phone the navigation then closes. */
  readonly onChoose: () => void;
}

function Navigation({ onChoose }: NavigationProps): ReactNode {
  const texts = useTexts(layoutTexts);
  return (
    <nav aria-label={texts.navigation} className="flex flex-col gap-0.5 p-2">
      {visiblePages(useMay()).map(({ id, icon, key }) => (
        <Link
          key={id}
          to={`/p/$projectId/${id}` as const}
          from="/p/$projectId"
          preload="intent"
          onClick={onChoose}
          className="group flex h-7 items-center gap-2 rounded-md px-2 text-soft hover:bg-raised hover:text-ink data-[status=active]:bg-raised data-[status=active]:font-medium data-[status=active]:text-ink"
        >
          <Icon name={icon} />
          <span className="min-w-0 flex-1 truncate">{texts[id]}</span>
          <span aria-hidden="true" className="font-mono text-xs text-soft opacity-0 group-hover:opacity-100">
            g {key}
          </span>
        </Link>
      ))}
    </nav>
  );
}

function KeyHelp({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  const texts = useTexts(layoutTexts);
  const keys = [
    ['Ctrl K', texts.helpPalette],
    ['/', texts.helpSearch],
    ['j k Enter', texts.helpList],
    ['Ctrl Enter', texts.helpRun],
    ['?', texts.helpThis],
    ...pageList.map(({ id, key }) => [`g ${key}`, texts[id]] as const),
  ] as const;
  return (
    <Dialog title={texts.help} isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {keys.map(([key, meaning]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-sm border bg-raised px-1.5 font-mono text-sm">{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** The page of the address, or that the role may not see it: a link from a colleague can lead to such a page. */
function PermittedPage(): ReactNode {
  const texts = useTexts(layoutTexts);
  const visible = visiblePages(useMay());
  const id = pageAt(useLocation().pathname);
  // Another project gets a new page: nothing that a page keeps is of the project before.
  const projectId = useProjectId();
  if (id === null || visible.some((page) => page.id === id)) return <Outlet key={projectId} />;
  return (
    <Page title={texts[id]}>
      <Forbidden />
    </Page>
  );
}

function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const texts = useTexts(layoutTexts);
  const goTo = useGoTo();
  const commands: Command[] = [
    ...visiblePages(useMay()).map(({ id, icon, key }) => ({
      id,
      label: texts[id],
      icon,
      keys: `g ${key}`,
      run: () => goTo(id),
    })),
    { id: 'dark', label: texts.themeDark, icon: 'moon', run: () => changePreferences({ theme: 'dark' }) },
    { id: 'light', label: texts.themeLight, icon: 'sun', run: () => changePreferences({ theme: 'light' }) },
    { id: 'en', label: 'English', icon: 'languages', run: () => changePreferences({ language: 'en' }) },
    { id: 'de', label: 'Deutsch', icon: 'languages', run: () => changePreferences({ language: 'de' }) },
  ];
  return <CommandPalette commands={commands} onClose={onClose} />;
}

function useGoTo(): (id: PageId) => void {
  const navigate = useNavigate({ from: '/p/$projectId' });
  return (id) => void navigate({ to: `/p/$projectId/${id}` as const });
}

/** A page marks its search field with `data-search`. Returns false on a page without one. */
function focusSearch(): boolean {
  const field = document.querySelector('[data-search] input:not([type=checkbox])');
  if (!(field instanceof HTMLInputElement)) return false;
  field.focus();
  return true;
}

/** A line over the page while the server does not answer. The loaded page stays visible below it. */
function ConnectionNote(): ReactNode {
  const texts = useTexts(layoutTexts);
  const cache = useQueryClient().getQueryCache();
  const isLost = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    // A page that was left is not loaded again, so its last error says nothing of now.
    () => cache.getAll().some((query) => query.isActive() && isUnreachable(query.state.error)),
  );
  return (
    <div role="status">
      {isLost && (
        <p className="flex items-center gap-2 border-b border-bad bg-panel px-4 py-1 text-bad">
          <Icon name="triangle-alert" />
          {texts.unreachable}
        </p>
      )}
    </div>
  );
}

const pollMs = 1_000;

/**
 * A line over the pages of the demo while its past events arrive: until then, figures of earlier days are too small. The pages
 * load again when all are there. Overview has its own.
 */
function DemoNote(): ReactNode {
  const texts = useTexts(demoTexts);
  const formats = useFormats();
  const projectId = useProjectId();
  const client = useQueryClient();
  const isOverview = pageAt(useLocation().pathname) === 'overview';
  const enabled = useMay()('projects:read');
  const [wasArriving, setWasArriving] = useState(false);
  const { data } = useCall(
    'GET /v1/demo',
    undefined,
    wasArriving ? { enabled, everyMs: pollMs } : { enabled },
  );
  const isArriving = data?.state === 'arriving' && data.projectId === projectId;
  useEffect(() => {
    setWasArriving(isArriving);
    if (wasArriving && !isArriving) void client.invalidateQueries();
  }, [client, wasArriving, isArriving]);
  if (!isArriving || isOverview) return null;
  const { sentEvents, expectedEvents } = data;
  return (
    <div className="no-print flex items-center gap-3 border-b bg-panel px-4 py-1 text-soft">
      <progress
        aria-label={texts.arrivingLabel}
        max={expectedEvents}
        value={sentEvents}
        className="h-1.5 w-40 shrink-0 accent-accent"
      />
      {texts.arriving(formats.number(sentEvents), formats.number(expectedEvents))}
    </div>
  );
}
