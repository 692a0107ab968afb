import { detailOf, type TreeNode } from '../confining/query-tree.ts';

/** How often ClickHouse analyses each subquery. A subquery that is not in the map is analysed once at most. */
export type Copies = ReadonlyMap<TreeNode, number>;

/** ClickHouse analyses this many nodes within about a second, and cannot be interrupted meanwhile. */
const mostNodes = 20_000;
const mostDepth = 1_000;

/**
 * Counts the copies of each subquery: ClickHouse analyses a common table expression again for each place that reads it,
 * so a short text can become a tree of any size. Returns null if the tree becomes too large.
 */
export function countCopies(nodes: readonly TreeNode[]): Copies | null {
  const counter = new CopyCounter(nodes);
  for (const node of nodes) if (node.parent === null) counter.visit(node, 0);
  return counter.isLost ? null : counter.copies;
}

class CopyCounter {
  readonly copies = new Map<TreeNode, number>();
  /** A name can have several definitions, in different subqueries. All of them count. */
  readonly #definitions = new Map<string, TreeNode[]>();
  readonly #open = new Set<TreeNode>();
  #visited = 0;

  constructor(nodes: readonly TreeNode[]) {
    for (const node of withoutUnionCopies(nodes).filter(isSubquery)) {
      for (const name of new Set([detailOf(node, 'cte_name'), detailOf(node, 'alias')])) {
        if (name !== '') this.#definitions.set(name, [...(this.#definitions.get(name) ?? []), node]);
      }
    }
  }

  get isLost(): boolean {
    return this.#visited > mostNodes;
  }

  visit(node: TreeNode, depth: number): void {
    this.#visited += depth > mostDepth ? mostNodes + 1 : 1;
    if (this.isLost) return;
    if (isSubquery(node)) this.copies.set(node, (this.copies.get(node) ?? 0) + 1);
    for (const child of node.children) if (!isDefinition(child)) this.visit(child, depth + 1);
    if (node.kind === 'IDENTIFIER') this.#visitNamed(detailOf(node, 'identifier'), depth);
  }

  #visitNamed(name: string, depth: number): void {
    for (const definition of this.#definitions.get(name) ?? []) {
      // A recursive expression is analysed once.
      if (this.#open.has(definition)) continue;
      this.#open.add(definition);
      this.visit(definition, depth + 1);
      this.#open.delete(definition);
    }
  }
}

/** ClickHouse copies what is behind WITH into each part of a UNION. Leaves these copies out, with all that is in them. */
function withoutUnionCopies(nodes: readonly TreeNode[]): TreeNode[] {
  const contents = numberContents(nodes);
  const known = new Map<TreeNode, Set<unknown>>();
  const left = new Set<TreeNode | null>();
  return nodes.filter((node) => {
    const union = isDefinition(node) ? node.parent?.parent?.parent?.parent : null;
    const ofUnion = union?.kind === 'UNION' ? (known.get(union) ?? new Set()) : null;
    const isLeftOut = left.has(node.parent) || (ofUnion?.has(contents.get(node)) ?? false);
    if (isLeftOut) left.add(node);
    if (union && ofUnion) known.set(union, ofUnion.add(contents.get(node)));
    return !isLeftOut;
  });
}

/** Nodes with the same content have the same number. */
function numberContents(nodes: readonly TreeNode[]): ReadonlyMap<TreeNode, number> {
  const numbers = new Map<TreeNode, number>();
  const known = new Map<string, number>();
  // A node is behind its parent in the list.
  for (const node of nodes.toReversed()) {
    const children = node.children.map((child) => `${child.role} ${numbers.get(child)}`);
    const content = [node.kind, node.details, ...children].join('\n');
    const number = known.get(content) ?? known.size;
    known.set(content, number);
    numbers.set(node, number);
  }
  return numbers;
}

function isSubquery({ kind }: TreeNode): boolean {
  return kind === 'QUERY' || kind === 'UNION';
}

/** In WITH, it only says what a name means. */
function isDefinition(node: TreeNode): boolean {
  return isSubquery(node) && node.parent?.kind === 'LIST' && node.parent.role === 'WITH';
}
