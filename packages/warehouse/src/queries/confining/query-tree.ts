/** A node of the tree from ClickHouse's own parser. */
export interface TreeNode {
  /** `TABLE_FUNCTION`, `IDENTIFIER`, … */
  readonly kind: string;
  /** The text after the id: `function_name: sum, function_type: ordinary`. */
  readonly details: string;
  /** The role of the node in its parent: `JOIN TREE`, `WHERE`, …, or its place in a list. */
  readonly role: string;
  readonly parent: TreeNode | null;
  /** The number of its parent's nodes before it. */
  readonly place: number;
  readonly children: readonly TreeNode[];
}

/**
 * Reads the lines of `EXPLAIN QUERY TREE run_passes = 0`. Returns null if they are not the output of that statement:
 * node numbers are consecutive, so a line injected by a name in the query breaks them.
 */
export function readQueryTree(lines: readonly string[]): TreeNode[] | null {
  if (lines.length > mostLines) return null;
  const nodes: OpenNode[] = [];
  const open: (OpenNode | string)[] = [];
  for (const line of lines) {
    const [, indent = '', text = ''] = /^((?: {2})*)(\S.*?) *$/s.exec(line) ?? [];
    const depth = indent.length / 2;
    if (text === '' || depth > open.length) return null;
    open.length = depth;
    const node = readNode(text, nodes, open);
    if (node === null) return null;
    if (typeof node !== 'string') nodes.push(node);
    open.push(node);
  }
  return nodes.length === 0 ? null : nodes;
}

/** Larger than any query that a person writes. It bounds the cost of a hostile one. */
const mostLines = 20_000;

/** The nodes of the statement, written with a number. All other lines are names of parts. */
const numbered = /^([A-Z][A-Z_ ]*) id: (\d+)(?:, (.*))?$/s;

interface OpenNode extends TreeNode {
  readonly children: OpenNode[];
}

function readNode(
  text: string,
  before: readonly OpenNode[],
  open: readonly (OpenNode | string)[],
): OpenNode | string | null {
  const [whole, kind = '', id, details = ''] = numbered.exec(text) ?? [];
  if (whole === undefined) return text.includes(' id: ') ? null : text;
  if (Number(id) !== before.length) return null;
  const above = open.at(-1);
  const parent = open.findLast((entry) => typeof entry !== 'string') ?? null;
  const place = parent?.children.length ?? 0;
  const role = typeof above === 'string' ? above : '';
  const node = { kind, details, role, parent, place, children: [] };
  parent?.children.push(node);
  return node;
}

export function argumentsOf(node: TreeNode): readonly TreeNode[] {
  return node.children.find(({ role }) => role === 'ARGUMENTS')?.children ?? [];
}

/** One of the details: `function_name`, `identifier`, `alias`. Empty if the node does not have it. */
export function detailOf({ details }: TreeNode, name: string): string {
  const pairs = details.split(', ').map((part): [string, string] => {
    const at = part.indexOf(': ');
    return [part.slice(0, at), part.slice(at + 2)];
  });
  return pairs.find(([key]) => key === name)?.[1] ?? '';
}
