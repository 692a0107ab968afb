import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(import.meta.dirname, 'vectors', 'events.json');
const { texts } = JSON.parse(readFileSync(path, 'utf8')) as { texts: readonly string[] };

export const conformanceType = 'conformance';

/** The members of event `n` of a run. Every driver makes the same. */
export function conformanceEvent(run: string, n: number, padding = 0) {
  return {
    run,
    n,
    text: `${texts[n % texts.length] ?? ''}${'x'.repeat(padding)}`,
    ratio: n / 4,
    big: 9_007_199_254_740_000 + (n % 900),
    flag: n % 2 === 0,
    list: [n % 3, n % 5],
  };
}

export const conformanceDeclaration = {
  name: conformanceType,
  description: 'An event of the conformance tests of client SDKs',
  declaration: {
    type: 'object',
    required: ['run', 'n'],
    properties: {
      run: { type: 'string' },
      n: { type: 'integer', minimum: 0 },
      text: { type: 'string' },
      ratio: { type: 'number' },
      big: { type: 'integer', format: 'int64' },
      flag: { type: 'boolean' },
      list: { type: 'array', items: { type: 'integer' } },
    },
  },
} as const;
