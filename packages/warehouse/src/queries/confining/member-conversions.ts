import { isCast } from './made-states.ts';
import { detailOf, type TreeNode } from './query-tree.ts';

/*
 * The column of a member has all types that the member has in the part, also in rows of other projects. ClickHouse prepares
 * a conversion for each of these types, and fails if it cannot convert one, even if no row of the query has it (ADR 35). So
 * a query converts a member only from a named type or from text.
 */

/**
 * The first function of the query that converts a member of unknown type. The tree has names, not types: whatever may be
 * a member counts as one.
 */
export function findMemberConversion(nodes: readonly TreeNode[], sql: string): string | null {
  const members = namesOfMembers(nodes);
  const mayRename = renames(nodes, sql) && nodes.some((node) => isShownByInner(node, members));
  const isMember = (node: TreeNode) =>
    node.kind === 'MATCHER' || (node.kind === 'IDENTIFIER' && (mayRename || mentions(node, members)));
  const found = nodes.find((node) => {
    if (node.kind === 'IDENTIFIER')
      return node.place === 0 && isCalledByName(node) && converts(detailOf(node, 'identifier'));
    if (node.kind !== 'FUNCTION' || !convertsNode(node)) return false;
    const [value] = argumentsOf(node);
    return value === undefined || has(value, isMember);
  });
  if (found === undefined) return null;
  return detailOf(found, found.kind === 'FUNCTION' ? 'function_name' : 'identifier');
}

const conversions =
  /^(?:date|to(?:u?int\d+|b?float\d+|decimal\d+|bool|date(?:32)?|datetime(?:32|64)?|time(?:64)?|interval\w+|ipv[46]|uuid|unixtimestamp))$/i;

function converts(name: string): boolean {
  return conversions.test(name) || (isCast(name) && !/or(?:null|default)$/i.test(name));
}

function convertsNode(node: TreeNode): boolean {
  const name = detailOf(node, 'function_name');
  return converts(name) && !(isCast(name) && isToText(node));
}

/** Every type can be converted to text, and stays itself as a `Dynamic`. */
function isToText(node: TreeNode): boolean {
  const type = argumentsOf(node)[1];
  return (
    type?.kind === 'CONSTANT' &&
    /^constant_value: \\?'(?:(?:Nullable|LowCardinality)\()*(?:String|Dynamic)\b/.test(type.details)
  );
}

/** Functions that return one type, whatever they get. */
const ofOneType =
  /^(?:to(?:json)?string|dynamictype|isnull|isnotnull|length|(?:count|uniq\w*)(?:if)?|\w+or(?:null|zero|default))$/i;

function hidesMembers(node: TreeNode): boolean {
  if (node.kind === 'IDENTIFIER') return detailOf(node, 'identifier').includes('.:');
  if (node.kind !== 'FUNCTION') return false;
  const name = detailOf(node, 'function_name');
  return ofOneType.test(name) || (isCast(name) && isToText(node)) || converts(name);
}

/** Whether the node or one below it has the property, outside of functions whose result is not a member. */
function has(node: TreeNode, property: (node: TreeNode) => boolean): boolean {
  if (hidesMembers(node)) return false;
  return property(node) || node.children.some((child) => has(child, property));
}

/** `data`, and each alias and each parameter of a lambda that may be one of its members. */
function namesOfMembers(nodes: readonly TreeNode[]): ReadonlySet<string> {
  const names = new Set(['data', ...nodes.filter(isApplied).flatMap(parametersOf)]);
  const mayBeMember = (each: TreeNode) => each.kind === 'IDENTIFIER' && mentions(each, names);
  for (let before = 0; before < names.size; ) {
    before = names.size;
    for (const node of nodes) {
      const given = namesGivenBy(node).filter(({ value }) => has(value, mayBeMember));
      for (const { name } of given) names.add(name);
    }
  }
  return names;
}

/** The names that the node gives, with what they may stand for: its alias, and the parameters of a lambda. */
function namesGivenBy(node: TreeNode): { readonly name: string; readonly value: TreeNode }[] {
  const name = detailOf(node, 'alias');
  const alias = name === '' || isTable(node) ? [] : [{ name, value: node }];
  if (node.kind !== 'LAMBDA') return alias;
  const given = node.parent?.children ?? [];
  return parametersOf(node).flatMap((parameter) => given.map((value) => ({ name: parameter, value })));
}

function parametersOf(lambda: TreeNode): string[] {
  return (lambda.children[0]?.children ?? []).map((each) => detailOf(each, 'identifier'));
}

/** A lambda that gets columns by a pattern for their names. */
function isApplied({ kind, parent }: TreeNode): boolean {
  return kind === 'LAMBDA' && parent?.kind === 'APPLY COLUMN TRANSFORMER';
}

/** ClickHouse also names a column by its expression: `any(x)`. */
function mentions({ details }: TreeNode, names: ReadonlySet<string>): boolean {
  return names.has(details) || (details.match(/[\p{L}\p{N}_$]+/gu) ?? []).some((word) => names.has(word));
}

/** Whether a column can get a name that the tree does not show with its expression. */
function renames(nodes: readonly TreeNode[], sql: string): boolean {
  return (
    nodes.some(({ kind }) => kind === 'UNION' || kind === 'REPLACE COLUMN TRANSFORMER') ||
    /\bAS\s+(?:`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|\w+)\s*\(|(?:`|"|\w)\s*\([^()]*\)\s+AS\s*\(/is.test(sql)
  );
}

/** A column of a subquery that can be a member. */
function isShownByInner(node: TreeNode, members: ReadonlySet<string>): boolean {
  const isColumn = node.parent?.role === 'PROJECTION' && node.parent.kind === 'LIST';
  if (!isColumn || node.parent?.parent?.parent == null) return false;
  return has(
    node,
    (each) => each.kind === 'MATCHER' || (each.kind === 'IDENTIFIER' && mentions(each, members)),
  );
}

function isTable({ role }: TreeNode): boolean {
  return /^(?:JOIN TREE|(?:LEFT |RIGHT )?TABLE EXPRESSION)$/.test(role);
}

/** `arrayMap(toUUID, …)` */
function isCalledByName({ parent }: TreeNode): boolean {
  return parent?.kind === 'LIST' && parent.role === 'ARGUMENTS' && parent.children.length > 1;
}

function argumentsOf(node: TreeNode): readonly TreeNode[] {
  return node.children.find(({ role }) => role === 'ARGUMENTS')?.children ?? [];
}
