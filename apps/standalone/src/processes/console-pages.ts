import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const buildScript = join(import.meta.dirname, '../../../console/src/build-pages/build-pages-main.ts');

/**
 * Builds the pages of the console if their sources have changed since the last build. Resolves with a remark for the
 * terminal, also when that fails: the management API works without pages.
 */
export async function preparePages(): Promise<string> {
  const child = spawn(process.execPath, [buildScript], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part: Buffer) => {
    said = (said + part.toString()).slice(-1_000);
  });
  const [code] = await once(child, 'close');
  if (code === 0) return '';
  return `not built, so the console shows no pages: ${said.trim().split('\n', 1)[0]}. Run \`npm ci\` again`;
}
