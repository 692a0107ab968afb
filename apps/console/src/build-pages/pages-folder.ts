import { join } from 'node:path';

export const webFolder = join(import.meta.dirname, '../web');

/** The built pages: `index.html`, and `assets/` with names that contain a hash of the content. */
export const pagesFolder = join(import.meta.dirname, '../../dist');
