import { buildPages } from './build-pages.ts';
import { pagesFolder } from './pages-folder.ts';

/** Builds the console's pages unless the built ones are of the same sources. `npm start` and the tests run it. */
await buildPages(pagesFolder);
