import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode, Suspense, use } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { followPreferences, usePreferences } from './look/preferences.ts';
import { createPages } from './routes.tsx';
import { loadGerman } from './texts/load-german.ts';
import './look/look.css';

// A provider returns to /sign-in?code=…&state=…. The router rewrites a query, but not what is behind the `#`.
if (location.pathname === '/sign-in' && new URLSearchParams(location.search).has('state'))
  history.replaceState(null, '', `/sign-in#${location.search.slice(1)}`);
mendBrowserLanguage();
followPreferences();
const client = createQueryClient();
const router = createPages(client);
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Suspense>
          <Translated>
            <RouterProvider router={router} />
          </Translated>
        </Suspense>
      </QueryClientProvider>
    </StrictMode>,
  );
}

/** Shows the pages once their language is loaded. */
function Translated({ children }: { readonly children: ReactNode }): ReactNode {
  if (usePreferences().language === 'de') use(loadGerman());
  return children;
}

/**
 * A browser without a language in its environment reports "en-US@posix", which is no language tag. uPlot formats numbers in the
 * browser's language while it loads, and fails with it.
 */
function mendBrowserLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
  }
}
