import { buildPages } from './build-pages.ts';
import { pagesFolder } from './pages-folder.ts';

// biome-ignore lint/style/noProcessEnv: Vite reads it, and a test or a developer's shell may have another value
process.env['NODE_ENV'] = 'production';

/** Builds the console's pages unless the built ones are of the same sources. `npm start` and the tests run it. */
await buildPages(pagesFolder);
