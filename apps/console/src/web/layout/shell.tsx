import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { sessionQuery } from '../api/session.ts';
import { useProjectId } from '../api/use-project-id.ts';
import { Forbidden } from '../components/states/page-state.tsx';
import { Permissions, useMay } from '../components/states/permissions.tsx';
import { useKeys } from '../keyboard/use-keys.ts';
import { changePreferences } from '../look/preferences.ts';
import { useTexts } from '../texts/use-texts.ts';
import type { Command } from './header/command.ts';
import { CommandPalette } from './header/command-palette.tsx';
import { Header } from './header/header.tsx';
import { ZonePicker } from './header/zone-picker.tsx';
import { KeyHelp } from './key-help.tsx';
import { layoutTexts } from './layout-texts.ts';
import { Navigation } from './navigation.tsx';
import { Page } from './page.tsx';
import { type PageId, pageAt, pageList, visiblePages } from './page-list.ts';
import { ConnectionNote } from './session/connection-note.tsx';
import { DemoNote } from './session/demo-note.tsx';
import { SessionGuard } from './session/session-guard.tsx';

/** What surrounds every page of a project. The role decides what is shown. */
export function Shell(): ReactNode {
  const { data: session } = useQuery({ ...sessionQuery, refetchInterval: 60_000 });
  return (
    <Permissions granted={session?.permissions ?? null}>
      <Surroundings />
    </Permissions>
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

/** The page of the address, or that the role may not see it: a link from a colleague can lead to such a page. */
function PermittedPage(): ReactNode {
  const texts = useTexts(layoutTexts);
  const visible = visiblePages(useMay());
  const id = pageAt(useLocation().pathname);
  if (id === null || visible.some((page) => page.id === id)) return <Outlet />;
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
  const navigate = useNavigate();
  const projectId = useProjectId();
  return (id) => {
    const page = pageList.find((each) => each.id === id);
    if (page === undefined) return;
    void navigate({ to: page.path, params: { projectId } });
  };
}

/** A page marks its search field with `data-search`. Returns false on a page without one. */
function focusSearch(): boolean {
  const field = document.querySelector('[data-search] input:not([type=checkbox])');
  if (!(field instanceof HTMLInputElement)) return false;
  field.focus();
  return true;
}
