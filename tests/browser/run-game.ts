import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSdk } from '../../clients/typescript/build.ts';

const sdkFolder = join(import.meta.dirname, '..', '..', 'clients', 'typescript');

/** Runs this program in Node, in a folder with the built `@tickrate/sdk`. Rejects if it fails. */
export async function runGame(code: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tickrate-game-'));
  try {
    const installed = join(folder, 'node_modules', '@tickrate', 'sdk');
    mkdirSync(join(installed, 'dist'), { recursive: true });
    copyFileSync(join(sdkFolder, 'package.json'), join(installed, 'package.json'));
    for (const { name, text } of await buildSdk({ write: false }))
      writeFileSync(join(installed, 'dist', name), text);
    writeFileSync(join(folder, 'game.mjs'), code);
    // The SDK keeps its buffer in the home folder.
    await promisify(execFile)('env', [`HOME=${folder}`, process.execPath, 'game.mjs'], { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
