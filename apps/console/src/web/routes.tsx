import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isSignedOut } from './api/problem.ts';
import { openProject, sessionQuery } from './api/session.ts';
import { Toasts } from './components/dialogs/toasts.tsx';
import { Skeleton } from './components/states/page-state.tsx';
import { CrashPage, NotFoundPage } from './layout/fault-pages.tsx';
import { flag, searchReader, textTo } from './layout/search-reader.ts';
import { setElsewhere } from './layout/session/session-state.ts';
import { Shell } from './layout/shell.tsx';
import { isTimeZone, readPreferences } from './look/preferences.ts';
import { readDashboardSearch, readSharedSearch } from './pages/dashboards/dashboard-search.ts';
import { readExploreSearch } from './pages/explore/explore-search.ts';
import { readLiveSearch } from './pages/live/live-search.ts';
import { readQuarantineSearch } from './pages/quarantine/quarantine-search.ts';
import { readSettingsSearch } from './pages/settings/settings-search.ts';
import { readRangeText } from './time/time-range.ts';

/** Creates the router with every page. A page is loaded when it is opened, or pointed at in the navigation. */
export function createPages(client: QueryClient) {
  const root = rootRoute();
  const home = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: async () => {
      const { projectId } = await requireSession(client, undefined);
      throw redirect({ to: '/p/$projectId/overview', params: { projectId } });
    },
  });
  const signIn = createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: readSignInSearch,
    component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
  });
  const project = projectRoute(root, client);
  const shared = createRoute({
    getParentRoute: () => root,
    path: '/shared',
    validateSearch: readSharedSearch,
    component: lazyRouteComponent(() => import('./pages/dashboards/shared-page.tsx'), 'SharedPage'),
  });
  return createRouter({
    routeTree: root.addChildren([home, signIn, shared, project.addChildren(pagesBelow(project))]),
    defaultPreload: false,
    // The page of another object begins anew: no dialog, draft or typed text of the one before is left.
    defaultRemountDeps: ({ params }) => params,
    defaultPendingComponent: () => <Skeleton lines={8} />,
    defaultPendingMs: 150,
    defaultErrorComponent: CrashPage,
    scrollRestoration: true,
  });
}

function rootRoute() {
  return createRootRoute({
    component: Root,
    notFoundComponent: NotFoundPage,
    errorComponent: CrashPage,
  });
}

function projectRoute(root: ReturnType<typeof rootRoute>, client: QueryClient) {
  return createRoute({
    getParentRoute: () => root,
    path: '/p/$projectId',
    validateSearch: readProjectSearch,
    search: { middlewares: [retainSearchParams(['range', 'zone'])] },
    component: Shell,
    notFoundComponent: NotFoundPage,
    beforeLoad: async ({ params, location }) => {
      const session = await requireSession(client, location.href);
      if (session.projectId === params.projectId) return;
      // A link to another project moves the session there. Nothing of the project before stays.
      await openProject(params.projectId);
      client.clear();
      setElsewhere(false);
      await requireSession(client, location.href);
    },
  });
}

function pagesBelow(project: ReturnType<typeof projectRoute>) {
  return [
    createRoute({
      getParentRoute: () => project,
      path: 'overview',
      component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
    }),
    createRoute({
      getParentRoute: () => project,
      path: 'live',
      validateSearch: readLiveSearch,
      component: lazyRouteComponent(() => import('./pages/live/live-page.tsx'), 'LivePage'),
    }),
    createRoute({
      getParentRoute: () => project,
      path: 'explore',
      validateSearch: readExploreSearch,
      component: lazyRouteComponent(() => import('./pages/explore/explore-page.tsx'), 'ExplorePage'),
    }),
    createRoute({
      getParentRoute: () => project,
      path: 'sql',
      validateSearch: readSqlSearch,
      component: lazyRouteComponent(() => import('./pages/sql/sql-page.tsx'), 'SqlPage'),
    }),
    createRoute({
      getParentRoute: () => project,
      path: 'dashboards',
      component: lazyRouteComponent(() => import('./pages/dashboards/dashboards-page.tsx'), 'DashboardsPage'),
    }),
    createRoute({
      getParentRoute: () => project,
      path: 'dashboards/$id',
      validateSearch: readDashboardSearch,
      component: lazyRouteComponent(() => import('./pages/dashboards/dashboard-page.tsx'), 'DashboardPage'),
    }),
    createRoute({
      getParentRoute: () => project,
      path: 'types',
      validateSearch: readTypesSearch,
      component: lazyRouteComponent(() => import('./pages/types/types-page.tsx'), 'TypesPage'),
    }),
    createRoute({
      getParentRoute: () => project,
      path: 'types/$name',
      validateSearch: readTypesSearch,
      component: lazyRouteComponent(() => import('./pages/types/type-page.tsx'), 'TypePage'),
    }),
    createRoute({
      getParentRoute: () => project,
      path: 'quarantine',
      validateSearch: readQuarantineSearch,
      component: lazyRouteComponent(() => import('./pages/quarantine/quarantine-page.tsx'), 'QuarantinePage'),
    }),
    createRoute({
      getParentRoute: () => project,
      path: 'players',
      validateSearch: readPlayersSearch,
      component: lazyRouteComponent(() => import('./pages/players/players-page.tsx'), 'PlayersPage'),
    }),
    createRoute({
      getParentRoute: () => project,
      path: 'players/$accountId',
      component: lazyRouteComponent(() => import('./pages/players/player-page.tsx'), 'PlayerPage'),
    }),
    createRoute({
      getParentRoute: () => project,
      path: 'pipeline',
      component: lazyRouteComponent(() => import('./pages/pipeline/pipeline-page.tsx'), 'PipelinePage'),
    }),
    createRoute({
      getParentRoute: () => project,
      path: 'settings',
      validateSearch: readSettingsSearch,
      component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
    }),
    createRoute({
      getParentRoute: () => project,
      path: 'account',
      component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
    }),
  ] as const;
}

async function requireSession(client: QueryClient, next: string | undefined) {
  try {
    return await client.ensureQueryData(sessionQuery);
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ to: '/sign-in', search: { next } });
    throw error;
  }
}

interface ProjectSearch {
  readonly range: string;
  readonly zone: string;
}

/** A link may leave either out: it then keeps what the page has. */
function readProjectSearch(search: Partial<ProjectSearch> & SearchSchemaInput): ProjectSearch {
  return {
    range: readRangeText(search.range),
    zone: isTimeZone(search.zone) ? search.zone : readPreferences().zone,
  };
}

// A name such as 2048 is read as a number.
const shortText = (value: unknown) => (value === undefined ? undefined : String(value).slice(0, 100));

const readSignInSearch = searchReader({
  /** The page that the user wanted to see. Only one of this console: a link must not lead the user away after signing in. */
  next: (value: unknown) => (typeof value === 'string' && /^\/p\/p-/.test(value) ? value : undefined),
  /** The address in an invitation: it registers. */
  invited: (value: unknown) => (typeof value === 'string' ? value : undefined),
  /** For what: shown, and not trusted. */
  project: shortText,
  role: shortText,
});

const readPlayersSearch = searchReader({
  email: (value: unknown) => (String(value).length < 3 ? undefined : textTo(254)(value)),
  banned: flag,
});

const readSqlSearch = searchReader({
  tab: (value: unknown) => (typeof value === 'string' ? value : ''),
  /** A statement that a link brings. It is put into a tab, and not run. */
  sql: (value: unknown) => (typeof value === 'string' ? value.slice(0, 65_536) : ''),
});

/** The editor is open: for a new type in the list, for the type on its page. */
const readTypesSearch = searchReader({ edit: flag });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPages>;
  }
}

function Root(): ReactNode {
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  );
}
