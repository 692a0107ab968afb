import type { RedisFacts } from '@tickrate/pipeline';
import { expect, test } from 'vitest';
import { checkRedis } from './check-redis.ts';

const nowMs = Date.UTC(2026, 10, 21);
const well: RedisFacts = {
  label: 'redis:6379',
  version: '8.0.2',
  clockMs: nowMs + 300,
  mostMemoryBytes: 512 * 1024 ** 2,
  refusal: null,
  settings: { appendonly: 'yes', appendfsync: 'always', evictionPolicy: 'noeviction' },
};

const statesOf = (facts: RedisFacts) =>
  Object.fromEntries(checkRedis(facts, nowMs).map(({ check, state }) => [check, state]));

test('a Redis with the required settings has no finding', () => {
  const findings = checkRedis(well, nowMs);
  expect(findings.filter(({ state, advice }) => state !== 'good' || advice !== null)).toEqual([]);
  expect(findings).toHaveLength(6);
});

const settings = well.settings ?? { appendonly: '', appendfsync: '', evictionPolicy: '' };

test.each([
  ['Redis eviction', 'bad', { settings: { ...settings, evictionPolicy: 'allkeys-lru' } }],
  ['Redis durability', 'bad', { settings: { ...settings, appendonly: 'no' } }],
  ['Redis durability', 'bad', { settings: { ...settings, appendfsync: 'no' } }],
  ['Redis durability', 'warning', { settings: { ...settings, appendfsync: 'everysec' } }],
  ['Redis settings', 'warning', { settings: null }],
  ['Redis writes', 'bad', { refusal: 'READONLY' }],
  ['Redis writes', 'bad', { refusal: 'MISCONF' }],
  ['Redis memory', 'warning', { mostMemoryBytes: 0 }],
  ['Redis clock', 'warning', { clockMs: nowMs - 5_000 }],
  ['Redis', 'warning', { version: '6.2.14' }],
] as const)('%s is %s with %j, and there is something to do about it', (check, state, change) => {
  const facts = { ...well, ...change };
  expect(statesOf(facts)[check]).toBe(state);
  expect(checkRedis(facts, nowMs).find((finding) => finding.check === check)?.advice).toMatch(/\w{3}/);
});
