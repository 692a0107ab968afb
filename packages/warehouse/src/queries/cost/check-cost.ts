import type { QueryRefusal } from '../confining/check-query-tree.ts';
import type { TreeNode } from '../confining/query-tree.ts';
import { estimateCost } from './estimate-cost.ts';

/** Rejects computations that would take ClickHouse seconds without a check for cancellation. */
export function checkCost(nodes: readonly TreeNode[], mostCost: number): QueryRefusal | null {
  const estimate = estimateCost(nodes);
  if (estimate === null) return { reason: 'cost', message: 'the query is too complex to estimate its cost' };
  if (estimate.cost <= mostCost) return null;
  const { cost, worst } = estimate;
  const times = Math.ceil(cost / mostCost);
  return {
    reason: 'cost',
    message: `${worst}() would compute ${times > 1_000_000 ? 'over a million' : times} times the limit of one step: reduce its input`,
  };
}
