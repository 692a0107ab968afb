import { detailOf, type TreeNode } from '../confining/query-tree.ts';
import { argumentsOf, type Bounds, calledName } from './value-bounds.ts';

export interface RowBounds {
  /** Rows that ClickHouse computes before it checks for cancellation. */
  readonly block: number;
  /** Rows that one aggregate function receives. */
  readonly all: number;
}

const mostInBlock = 65_409;
/** Row counts in the query are used unchanged. A table of events is assumed to give this many rows to one aggregate. */
const rowsOfTable = 10_000;
export const oneRow: RowBounds = { block: 1, all: 1 };

/** The rows of the sources of a query, before its conditions. */
export function rowsOf(query: TreeNode, boundsOf: (node: TreeNode) => Bounds): RowBounds {
  const source = query.children.find(({ role }) => role === 'JOIN TREE');
  const all = source === undefined ? 1 : rowsOfSource(source, boundsOf);
  return { block: Math.min(all, mostInBlock), all };
}

function rowsOfSource(node: TreeNode, boundsOf: (node: TreeNode) => Bounds): number {
  if (node.kind === 'IDENTIFIER') return detailOf(node, 'identifier') === 'system.one' ? 1 : rowsOfTable;
  if (node.kind === 'TABLE_FUNCTION') {
    const given = argumentsOf(node);
    if (calledName(node) === 'values') return Math.max(1, given.length);
    return given.reduce((sum, each) => sum + boundsOf(each).most, 0);
  }
  if (node.kind === 'QUERY') return rowsOf(node, boundsOf).all;
  if (node.kind === 'UNION') {
    return argumentsOf(node, 'QUERIES').reduce((sum, each) => sum + rowsOfSource(each, boundsOf), 0);
  }
  const joined = node.children.filter(({ role }) => role.includes('TABLE EXPRESSION'));
  return joined.reduce((product, each) => product * rowsOfSource(each, boundsOf), 1);
}
