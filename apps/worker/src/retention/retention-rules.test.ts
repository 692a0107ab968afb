import { expect, test } from 'vitest';
import { retentionRules } from './retention.ts';

const nowMs = Date.UTC(2026, 5, 15, 13, 30);
const daysAgo = (days: number) => Date.UTC(2026, 5, 15 - days);

test('nothing expires by default', () => {
  const projects = [
    { projectId: 'p-a', policy: undefined },
    { projectId: 'p-b', policy: {} },
  ];
  expect(retentionRules(projects, { nowMs, defaultDays: null })).toEqual([]);
});

test('a project uses the setting of the installation unless it has its own, and a type that of its project', () => {
  const projects = [
    { projectId: 'p-a', policy: undefined },
    { projectId: 'p-b', policy: { types: { tick: 7, purchase: null } } },
    { projectId: 'p-c', policy: { days: null } },
    { projectId: 'p-d', policy: { days: 5 } },
  ];
  expect(retentionRules(projects, { nowMs, defaultDays: 90 })).toEqual([
    { projectIds: ['p-a'], types: null, receivedBeforeMs: daysAgo(90) },
    { projectIds: ['p-b'], types: { except: ['purchase', 'tick'] }, receivedBeforeMs: daysAgo(90) },
    { projectIds: ['p-b'], types: { only: ['tick'] }, receivedBeforeMs: daysAgo(7) },
    { projectIds: ['p-d'], types: null, receivedBeforeMs: daysAgo(5) },
  ]);
});

test('projects with the same retention share one rule', () => {
  const projects = ['p-a', 'p-b', 'p-c'].map((projectId) => ({ projectId, policy: { days: 30 } }));
  expect(retentionRules(projects, { nowMs, defaultDays: null })).toEqual([
    { projectIds: ['p-a', 'p-b', 'p-c'], types: null, receivedBeforeMs: daysAgo(30) },
  ]);
});

test('a policy that cannot be read removes nothing', () => {
  const projects = [{ projectId: 'p-a', policy: { days: 'few' } }];
  expect(retentionRules(projects, { nowMs, defaultDays: 1 })).toEqual([]);
});

test('a day counts from midnight to midnight, in UTC', () => {
  const projects = [{ projectId: 'p-a', policy: { days: 1 } }];
  const at = (ms: number) => retentionRules(projects, { nowMs: ms, defaultDays: null })[0]?.receivedBeforeMs;
  expect(at(daysAgo(0))).toBe(daysAgo(1));
  expect(at(daysAgo(0) - 1)).toBe(daysAgo(2));
});
