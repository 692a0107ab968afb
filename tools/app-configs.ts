import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, Declaration, Environment } from '@tickrate/platform';

export interface AppConfig {
  readonly app: string;
  readonly variables: readonly string[];
  /** One block per variable, as in a `.env` file: the comment and the assignment. */
  readonly exampleBlocks: readonly string[];
  readonly markdown: string;
  parse(environment: Environment): unknown;
  misspelled: Config<Declaration>['misspelled'];
}

const root = join(import.meta.dirname, '..');

/** The settings of each app: the one `defineConfig` that its config.ts exports. */
export async function readAppConfigs(): Promise<AppConfig[]> {
  const paths = globSync('apps/*/src/config.ts', { cwd: root }).toSorted();
  return Promise.all(
    paths.map(async (path) => {
      const exported: Record<string, unknown> = await import(join(root, path));
      const config = Object.values(exported).find(isConfig);
      if (config === undefined) throw new Error(`${path} exports no defineConfig(…)`);
      const exampleBlocks = config.envExample().trimEnd().split('\n\n');
      return {
        app: path.split('/')[1] ?? path,
        variables: exampleBlocks.map(variableOf),
        exampleBlocks,
        markdown: config.markdown(),
        parse: (environment: Environment) => config.parse(environment),
        misspelled: config.misspelled,
      };
    }),
  );
}

export function variableOf(exampleBlock: string): string {
  return exampleBlock.match(/^(?:# )?([A-Z][A-Z0-9_]*)=/m)?.[1] ?? '';
}

function isConfig(value: unknown): value is Config<Declaration> {
  return typeof value === 'object' && value !== null && 'envExample' in value && 'markdown' in value;
}
