import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { reportOtherProject } from './layout/session/session-state.ts';
import { mendBrowserLanguage } from './look/browser-language.ts';
import { followPreferences } from './look/preferences.ts';
import { createPages } from './routes.tsx';
import './look/look.css';

mendBrowserLanguage();
followPreferences();
const client = createQueryClient({ onOtherProject: reportOtherProject });
const router = createPages(client);
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
