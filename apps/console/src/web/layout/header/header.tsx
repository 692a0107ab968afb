import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { call } from '../../api/call.ts';
import { projectsQuery, sessionQuery } from '../../api/session.ts';
import { useProjectId } from '../../api/use-call.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { MenuButton } from '../../components/dialogs/menu-button.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { useMay } from '../../components/states/permissions.tsx';
import { Icon } from '../../look/icon.tsx';
import { changePreferences, type Theme, usePreferences, viewerZone } from '../../look/preferences.ts';
import type { Language } from '../../texts/define-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { fixedRangeText } from '../../time/time-range.ts';
import { layoutTexts } from '../layout-texts.ts';
import { hasRange } from '../page-list.ts';
import { useChangeSearch } from '../use-change-search.ts';
import { useTime } from '../use-time.ts';
import { RangePicker } from './range-picker.tsx';

interface HeaderProps {
  readonly onMenu: () => void;
  readonly onPalette: () => void;
}

export function Header({ onMenu, onPalette }: HeaderProps): ReactNode {
  const texts = useTexts(layoutTexts);
  const { pathname } = useLocation();
  return (
    <header className="no-print sticky top-0 z-40 flex h-11 items-center gap-0.5 border-b bg-panel px-1.5 sm:gap-2 sm:px-3">
      <IconButton icon="menu" label={texts.navigation} className="md:hidden" onPress={onMenu} />
      <span className="hidden items-center gap-2 pl-1 font-semibold md:flex">
        <Icon name="activity" className="text-accent" />
        Tickrate
      </span>
      <span aria-hidden="true" className="hidden text-edge md:inline">
        /
      </span>
      <ProjectSwitcher />
      <div className="flex-1" />
      <button
        type="button"
        onClick={onPalette}
        className="flex h-7 shrink-0 items-center gap-2 rounded-md px-1.5 text-soft lg:w-64 lg:border lg:border-edge lg:bg-ground"
      >
        <Icon name="search" />
        <span className="truncate text-left max-lg:sr-only lg:flex-1">{texts.palette}</span>
        <kbd className="shrink-0 whitespace-nowrap font-mono text-xs max-lg:hidden">Ctrl K</kbd>
      </button>
      {hasRange(pathname) && <RangePicker />}
      <span className="hidden sm:block">
        <ZonePicker />
      </span>
      <span className="hidden sm:block">
        <CopyLinkButton />
      </span>
      <AccountMenu />
    </header>
  );
}

/** Copies the address with a fixed time range, so that another reader sees the same events. */
function CopyLinkButton(): ReactNode {
  const texts = useTexts(layoutTexts);
  const { resolve } = useTime();
  const router = useRouter();
  return (
    <IconButton
      icon="link"
      label={texts.copyLink}
      onPress={() => {
        const { href } = router.buildLocation({
          to: '.',
          search: (search: object) => ({ ...search, range: fixedRangeText(resolve()) }),
        });
        navigator.clipboard.writeText(location.origin + href).then(
          () => showToast(texts.linkCopied),
          () => undefined,
        );
      }}
    />
  );
}

// Few visits create a project: the entry of every page does not contain the dialog.
const CreateProject = lazy(async () => ({ default: (await import('./create-project.tsx')).CreateProject }));

function ProjectSwitcher(): ReactNode {
  const texts = useTexts(layoutTexts);
  const projectId = useProjectId();
  const { data: projects = [] } = useQuery(projectsQuery);
  const navigate = useNavigate();
  const may = useMay();
  const [isCreating, setCreating] = useState(false);
  const current = projects.find(({ id }) => id === projectId);
  const open = (id: string) => {
    if (id !== projectId) void navigate({ to: '/p/$projectId/overview', params: { projectId: id } });
  };
  const newProject = {
    label: texts.newProject,
    icon: 'plus',
    startsGroup: true,
    onSelect: () => setCreating(true),
  } as const;
  return (
    <>
      <MenuButton
        label={texts.switchProject}
        entries={[
          ...projects.map(({ id, name }) => ({
            label: name,
            selected: id === projectId,
            onSelect: () => open(id),
          })),
          ...(may('projects:write') ? [newProject] : []),
        ]}
      >
        <Button
          look="quiet"
          className="max-sm:px-1"
          aria-label={`${texts.project}: ${current?.name ?? projectId}`}
        >
          <span className="foreign max-w-28 truncate sm:max-w-48">{current?.name ?? projectId}</span>
          <Icon name="chevron-down" size={14} className="text-soft" />
        </Button>
      </MenuButton>
      {isCreating && (
        <Suspense fallback={null}>
          <CreateProject onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}

function AccountMenu(): ReactNode {
  const texts = useTexts(layoutTexts);
  const { theme, language } = usePreferences();
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const navigate = useNavigate({ from: '/p/$projectId' });
  const inTheme = (chosen: Theme) => ({
    selected: theme === chosen,
    onSelect: () => void changePreferences({ theme: chosen }),
  });
  const inLanguage = (chosen: Language) => ({
    selected: language === chosen,
    onSelect: () => void changePreferences({ language: chosen }),
  });
  async function signOut(): Promise<void> {
    await call('DELETE /session');
    client.clear();
    await navigate({ to: '/sign-in' });
  }
  return (
    <MenuButton
      label={texts.account}
      entries={[
        {
          label: texts.yourAccount,
          icon: 'user',
          onSelect: () => void navigate({ to: '/p/$projectId/account' }),
        },
        { label: texts.themeSystem, icon: 'monitor', startsGroup: true, ...inTheme('system') },
        { label: texts.themeLight, icon: 'sun', ...inTheme('light') },
        { label: texts.themeDark, icon: 'moon', ...inTheme('dark') },
        { label: 'English', icon: 'languages', startsGroup: true, ...inLanguage('en') },
        { label: 'Deutsch', icon: 'languages', ...inLanguage('de') },
        {
          label: texts.signOut,
          icon: 'log-out',
          detail: roleOf(session?.role),
          startsGroup: true,
          onSelect: () => void signOut(),
        },
      ]}
    >
      <IconButton icon="user" label={texts.account} />
    </MenuButton>
  );
}

/** `builtin:admin` is the role of the owner of the installation. */
function roleOf(role = ''): string {
  return role.replace(/^builtin:/, '');
}

export function ZonePicker(): ReactNode {
  const texts = useTexts(layoutTexts);
  const { zone } = useTime();
  const changeSearch = useChangeSearch();
  const known = Intl.supportedValuesOf('timeZone');
  const zones = new Set(['UTC', viewerZone(), ...(known.includes(zone) ? [] : [zone]), ...known]);
  return (
    <label className="flex h-7 items-center gap-1.5 rounded-md border border-edge bg-panel pl-2">
      <Icon name="globe" />
      <span className="sr-only">{texts.zone}</span>
      <select
        className="h-full min-w-0 max-w-40 truncate rounded-md pr-7 text-ink"
        value={zone}
        onChange={({ target }) => {
          void changePreferences({ zone: target.value });
          changeSearch({ zone: target.value });
        }}
      >
        {Array.from(zones, (each) => (
          <option className="bg-panel" key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
