import { expect, test } from 'vitest';
import { parseWorkspace } from './workspace.ts';

// Invariant (Queries): The SQL page keeps its tabs through a reload, reads an answer within bounds, and
// ends the query of a page that is left
test('a damaged store gives no tabs, and keeps those that are whole', () => {
  const tab = { id: 't1', name: '', number: 1, sql: 'SELECT 1', typed: {} };
  expect(parseWorkspace('{')).toEqual({ tabs: [], history: [], lastId: 0 });
  expect(parseWorkspace('[]').tabs).toEqual([]);
  const stored = { tabs: [tab, { id: 't2' }, null], history: [{ id: 'h1' }], lastId: 2 };
  expect(parseWorkspace(JSON.stringify(stored))).toEqual({ tabs: [tab], history: [], lastId: 2 });
});
