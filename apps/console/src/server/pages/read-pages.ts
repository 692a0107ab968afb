import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

type Coding = 'br' | 'gzip' | 'identity';

/** A built file in every coding that exists of it, the smallest first. */
export interface PageFile {
  readonly contentType: string;
  /** Its name contains a hash of its content, so it never changes. */
  readonly immutable: boolean;
  readonly codings: ReadonlyMap<Coding, Buffer>;
}

export interface BuiltPages {
  /** With `noncePlaceholder` where the nonce of an answer belongs. */
  readonly index: string;
  /** By their paths: `/assets/index-4f2a.js`. */
  readonly files: ReadonlyMap<string, PageFile>;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};
const ends = { br: '.br', gzip: '.gz', identity: '' } as const;
const codings: readonly Coding[] = ['br', 'gzip', 'identity'];

/** Reads the folder again when its `index.html` has changed. Never rejects because of the files. */
export function createPageReader(folder: string): () => Promise<BuiltPages | 'missing' | 'unreadable'> {
  let known: { readonly version: string; readonly pages: Promise<BuiltPages> } | null = null;
  return async () => {
    try {
      const index = await stat(join(folder, 'index.html'));
      const version = `${index.ino} ${index.size} ${index.mtimeMs}`;
      if (known?.version !== version) known = { version, pages: readPages(folder) };
      return await known.pages;
    } catch (error) {
      known = null;
      return Object(error).code === 'ENOENT' ? 'missing' : 'unreadable';
    }
  };
}

async function readPages(folder: string): Promise<BuiltPages> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = new Set(
    entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name)),
  );
  const files = new Map<string, PageFile>();
  for (const path of paths) {
    const contentType = contentTypes[extname(path)];
    if (contentType === undefined) continue;
    const url = `/${relative(folder, path).split(sep).join('/')}`;
    const immutable = url.startsWith('/assets/');
    files.set(url, { contentType, immutable, codings: await readCodings(path, paths) });
  }
  const index = await readFile(join(folder, 'index.html'), 'utf8');
  files.delete('/index.html');
  return { index, files };
}

async function readCodings(path: string, paths: ReadonlySet<string>): Promise<Map<Coding, Buffer>> {
  const present = codings.filter((coding) => paths.has(path + ends[coding]));
  const contents = await Promise.all(
    present.map(async (coding) => [coding, await readFile(path + ends[coding])] as const),
  );
  return new Map(contents);
}
