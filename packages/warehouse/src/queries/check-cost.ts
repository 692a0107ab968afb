import type { QueryRefusal } from './check-query-tree.ts';
import { estimateCost } from './estimate-cost.ts';
import type { TreeNode } from './query-tree.ts';

/** Refuses what ClickHouse would compute for seconds without a look at whether the query has to end. */
export function checkCost(nodes: readonly TreeNode[], mostCost: number): QueryRefusal | null {
  const estimate = estimateCost(nodes);
  if (estimate === null)
    return { reason: 'cost', message: 'the query is too entangled to say what it costs' };
  if (estimate.cost <= mostCost) return null;
  const { cost, worst } = estimate;
  const times = Math.ceil(cost / mostCost);
  return {
    reason: 'cost',
    message: `${worst}() would compute ${times > 1_000_000 ? 'over a million' : times} times as much as a query may at one go: give it less`,
  };
}
