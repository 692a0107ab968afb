import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AppConfig, readAppConfigs, variableOf } from './app-configs.ts';

const root = join(import.meta.dirname, '..');

/** The documents that are made from the configuration's declarations, by path from the root. */
export async function configurationDocs(): Promise<ReadonlyMap<string, string>> {
  const configs = await readAppConfigs();
  return new Map([
    ['docs/configuration.md', configurationPage(configs)],
    ['.env.example', exampleFile(configs)],
  ]);
}

function configurationPage(configs: readonly AppConfig[]): string {
  const chapters = configs.map(({ app, markdown }) => `## ${app}\n\n${markdown.trimEnd()}\n`);
  return `# Configuration

<!-- Written by \`npm run docs\` from the apps' declarations: change those, not this page. -->

Every process reads its environment once, at its start, and tells all faults at once, by variable, before it connects
to anything (exit code 78). \`node apps/<app>/src/main.ts --help\` prints the same tables. Sizes are written \`512KiB\` or
\`8MiB\`, durations \`250ms\`, \`30s\`, \`5m\`, \`2h\` or \`7d\`. Secrets are masked wherever the configuration is shown.

${chapters.join('\n')}`;
}

/** A variable that several apps share alike is told once, with the first of them. */
function exampleFile(configs: readonly AppConfig[]): string {
  const told = new Set<string>();
  const sections = configs.map(({ app, exampleBlocks }) => {
    const blocks = exampleBlocks.filter((block) => !told.has(block));
    for (const block of blocks) told.add(block);
    return blocks.length === 0 ? '' : `\n## ${app}\n\n${blocks.map(commentedOut).join('\n\n')}\n`;
  });
  return `# Written by \`npm run docs\`. Copy to \`.env\`: docker compose reads it from there.

## docker-compose.yml

# Letters and digits only, since they become part of an address: \`openssl rand -hex 24\` makes a good one.
${composeVariables().join('\n')}

# What each process reads follows, for one that is started by itself; docker-compose.yml sets these for its own.
${sections.join('')}`;
}

/** What docker-compose.yml asks of its \`.env\`: passwords to fill in, the rest with its default. */
function composeVariables(): string[] {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const lines = Array.from(text.matchAll(/(?<!\$)\$\{(\w+):([-?])([^}]*)\}/g), ([, name, mark, rest]) =>
    mark === '?' ? `${name}=` : `# ${name}=${rest}`,
  );
  return [...new Set(lines)];
}

function commentedOut(block: string): string {
  const name = variableOf(block);
  return block.replace(new RegExp(`^${name}=`, 'm'), `# ${name}=`);
}
