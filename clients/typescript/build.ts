import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { writeDeclarations } from './api-document.ts';
import { internalNames } from './internal-names.ts';

const folder = import.meta.dirname;
/** Debug mode loads its texts from a file beside the others, so that players never download them. */
const debugFile: Plugin = {
  name: 'debug-file',
  setup(plugged) {
    plugged.onResolve({ filter: /\/debug\/explain\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './debug.js', external: true } : null,
    );
  },
};

const shared: BuildOptions = {
  bundle: true,
  minify: true,
  target: 'es2022',
  legalComments: 'none',
  mangleProps: new RegExp(`^(${internalNames.join('|')})$`),
  plugins: [debugFile],
  logLevel: 'error',
};

export interface BuiltFile {
  readonly name: string;
  readonly text: string;
  readonly bytes: number;
  readonly gzipBytes: number;
}

/** Builds every file of the package and returns their sizes. With `write` false nothing is written. */
export async function buildSdk({ write = true } = {}): Promise<BuiltFile[]> {
  const dist = join(folder, 'dist');
  if (write) rmSync(dist, { recursive: true, force: true });
  const outputs = await Promise.all(
    [
      { in: 'src/web/browser.ts', out: 'browser.js', platform: 'browser', format: 'esm' },
      { in: 'src/web/core.ts', out: 'core.js', platform: 'browser', format: 'esm' },
      { in: 'src/debug/explain.ts', out: 'debug.js', platform: 'neutral', format: 'esm' },
      { in: 'src/node/node.ts', out: 'node.js', platform: 'node', format: 'esm' },
      { in: 'src/server/server.ts', out: 'server.js', platform: 'node', format: 'esm' },
      { in: 'src/web/browser.ts', out: 'tickrate.iife.js', platform: 'browser', format: 'iife' },
    ].map(async ({ in: entry, out, platform, format }): Promise<BuiltFile> => {
      const { outputFiles } = await build({
        ...shared,
        entryPoints: [join(folder, entry)],
        outfile: join(dist, out),
        platform: platform as 'browser',
        format: format as 'esm',
        ...(format === 'iife' ? { globalName: 'tickrate' } : {}),
        write: false,
      });
      const [file] = outputFiles ?? [];
      if (file === undefined) throw new Error(`${out} was not built`);
      if (write) await writeFileIn(dist, out, file.contents);
      return {
        name: out,
        text: file.text,
        bytes: file.contents.length,
        gzipBytes: gzipSync(file.contents, { level: 9 }).length,
      };
    }),
  );
  return outputs;
}

async function writeFileIn(dist: string, name: string, contents: Uint8Array): Promise<void> {
  const { mkdir, writeFile } = await import('node:fs/promises');
  await mkdir(dist, { recursive: true });
  await writeFile(join(dist, name), contents);
}

if (import.meta.main) {
  for (const { name, bytes, gzipBytes } of await buildSdk()) {
    process.stdout.write(
      `${name.padEnd(18)} ${String(bytes).padStart(7)} B ${String(gzipBytes).padStart(7)} B gz\n`,
    );
  }
  if (process.argv.includes('--types')) writeDeclarations('dist/types');
}
