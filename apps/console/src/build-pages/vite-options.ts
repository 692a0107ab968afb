import optimizeLocales from '@react-aria/optimize-locales-plugin';
import tailwindcss from '@tailwindcss/vite';
import { policySchemas } from '@tickrate/contract';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import { webFolder } from './pages-folder.ts';

/** How the pages are built. The console's server replaces the placeholder of the nonce in each answer. */
export function viteOptions(folder: string): InlineConfig {
  return {
    configFile: false,
    root: webFolder,
    base: '/',
    mode: 'production',
    logLevel: 'warn',
    plugins: [
      { ...optimizeLocales.vite({ locales: ['en-US', 'de-DE'] }), enforce: 'pre' },
      react(),
      tailwindcss(),
    ],
    // The forms of the policies are made from them.
    define: { POLICY_SCHEMAS: JSON.stringify(policySchemas) },
    html: { cspNonce: 'CSP_NONCE' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 700,
      reportCompressedSize: false,
    },
  };
}
