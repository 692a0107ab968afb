import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { ConfigFault, defineConfig } from './config.ts';
import type { Variable } from './config-variable.ts';

const config = defineConfig({
  port: { name: 'PORT', type: 'int', default: 8080, min: 0, max: 65_535, help: 'Where to listen' },
  databaseUrl: { name: 'DATABASE_URL', type: 'url', protocols: ['postgres:'], help: 'The database' },
  pepper: { name: 'PEPPER', type: 'secret', minLength: 8, help: 'Mixed into passwords' },
  level: { name: 'LOG_LEVEL', type: 'enum', values: ['debug', 'info'], default: 'info', help: 'What to log' },
  proxies: {
    name: 'PROXIES',
    type: 'list',
    default: [],
    help: 'Whom to trust',
    check: (item) => (item === 'x' ? 'is x' : null),
  },
  body: { name: 'BODY_LIMIT', type: 'bytes', default: 8 * 1024 * 1024, help: 'The largest body' },
  stop: { name: 'STOP_TIMEOUT', type: 'durationMs', default: 25_000, help: 'How long a stop may take' },
  metrics: { name: 'METRICS', type: 'boolean', default: true, help: 'Whether to measure' },
  region: {
    name: 'REGION',
    type: 'string',
    default: null,
    pattern: /^[a-z]+$/,
    help: 'Where this runs | or not',
  },
});
const required = { DATABASE_URL: 'postgres://user:hunter2@db/x', PEPPER: 'correct horse' };

test('finds settings that are almost the name of one that is not set', () => {
  const environment = {
    ...required,
    LOG_LEVELS: 'info',
    STOPTIMEUOT: '1s',
    BODY_LIMITS: '1',
    BODY_LIMIT: '2',
    PORTS: '1',
  };
  expect(config.misspelled({ ...environment, HOME: '/root', PROXIES_FILE: 'x' })).toEqual([
    { name: 'LOG_LEVELS', meant: 'LOG_LEVEL' },
    { name: 'STOPTIMEUOT', meant: 'STOP_TIMEOUT' },
  ]);
});

function faultsOf(environment: Record<string, string>): readonly { name: string; fault: string }[] {
  try {
    config.parse(environment);
  } catch (error) {
    if (error instanceof ConfigFault) return error.faults;
    throw error;
  }
  return [];
}

describe('a configuration', () => {
  test('returns typed values, with defaults for unset and empty variables', () => {
    const values = config.parse({ ...required, LOG_LEVEL: '', PORT: ' 9000 ' });
    expect(values).toEqual({
      port: 9000,
      databaseUrl: 'postgres://user:hunter2@db/x',
      pepper: 'correct horse',
      level: 'info',
      proxies: [],
      body: 8_388_608,
      stop: 25_000,
      metrics: true,
      region: null,
    });
    expectTypeOf(values.port).toEqualTypeOf<number>();
    expectTypeOf(values.level).toEqualTypeOf<'debug' | 'info'>();
    expectTypeOf(values.proxies).toEqualTypeOf<readonly string[]>();
    expectTypeOf(values.region).toEqualTypeOf<string | null>();
  });

  test('reports all faults at once, by variable', () => {
    const faults = faultsOf({
      PORT: '70000',
      LOG_LEVEL: 'loud',
      PROXIES: 'a, x',
      BODY_LIMIT: 'much',
      STOP_TIMEOUT: '5 fortnights',
      METRICS: 'perhaps',
      REGION: 'EU',
      PEPPER: 'short',
    });
    expect(faults.map(({ name }) => name)).toEqual([
      'PORT',
      'DATABASE_URL',
      'PEPPER',
      'LOG_LEVEL',
      'PROXIES',
      'BODY_LIMIT',
      'STOP_TIMEOUT',
      'METRICS',
      'REGION',
    ]);
  });

  test('never repeats a secret, neither in faults nor in the dump', () => {
    const texts = [
      JSON.stringify(faultsOf({ PEPPER: 'hunter2', DATABASE_URL: 'mysql://user:hunter2@db' })),
      JSON.stringify(config.dump(config.parse({ ...required, PEPPER: 'hunter2hunter2' }))),
    ];
    for (const text of texts) expect(text).not.toContain('hunter2');
    expect(texts[1]).toContain('postgres://user:[redacted]@db/x');
  });

  test('reads back the text that its documents contain, for any value', () => {
    const cases: [Variable['type'], fc.Arbitrary<number>][] = [
      ['int', fc.maxSafeInteger()],
      ['bytes', fc.maxSafeNat()],
      ['durationMs', fc.maxSafeNat()],
    ];
    for (const [type, values] of cases) {
      const one = defineConfig({ value: { name: 'VALUE', type: type as 'int', help: '' } });
      fc.assert(
        fc.property(values, (value) => {
          const text = one.dump({ value })['VALUE'] ?? '';
          expect(one.parse({ VALUE: text }).value).toBe(value);
        }),
      );
    }
  });

  test('never throws other than a ConfigFault, whatever the environment', () => {
    fc.assert(
      fc.property(
        fc.record({ PORT: fc.string(), DATABASE_URL: fc.string(), BODY_LIMIT: fc.string() }),
        (given) => {
          expect(faultsOf({ ...required, ...given }).every(({ name }) => name in given)).toBe(true);
        },
      ),
    );
  });

  test('is documented as help, as an example file that can be parsed, and as a table', () => {
    expect(config.help()).toContain('BODY_LIMIT    The largest body (size; default 8MiB)');
    expect(config.envExample()).toContain('# PORT=8080\n');
    expect(config.envExample()).toContain('\nDATABASE_URL=\n');
    expect(config.markdown()).toContain('| `DATABASE_URL` | URL | **required** | The database |');
    expect(config.markdown()).toContain('Where this runs \\| or not');
  });

  test('refuses a variable that is declared twice', () => {
    const twin = { name: 'A', type: 'string', help: '' } as const;
    expect(() => defineConfig({ one: twin, two: twin })).toThrow('A is declared twice');
  });
});
