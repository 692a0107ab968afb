import { isCast } from './made-states.ts';
import { argumentsOf, detailOf, type TreeNode } from './query-tree.ts';

/*
 * The column of a member has all types that the member has in the part, also in rows of other projects. ClickHouse
 * prepares a conversion for each of these types, and fails if it cannot convert one, even if no row of the query has it.
 * The two functions below keep the usual ways to convert a member from breaking on members of other projects. A member
 * is followed into the parameters of a lambda, but not if a query gives it another name first.
 */

const anyText = String.raw`'(?:[^'\\]|\\.)*'`;
const path = String.raw`(?:\w+\.)*data(?:\.(?:\w+|\x60[^\x60:]*\x60))+`;
const scalar = String.raw`'(?:Nullable\()?(?:U?Int|B?Float|Decimal|Bool|Date|Time|UUID|IPv|Enum|FixedString)(?:[^'\\]|\\.)*'`;
const memberCasts = new RegExp(`${anyText}|\\bCAST\\((${path}|\\(${path}\\)), (${scalar})\\)`, 'gs');

/**
 * Makes `data.level::Int64` null for a value that is no such number, instead of an error: this conversion depends on no
 * other type. The SQL must be in the canonical form.
 */
export function withLenientCasts(sql: string): string {
  return sql.replace(memberCasts, (whole, member?: string, type?: string) =>
    member === undefined ? whole : `accurateCastOrNull(${member}, ${type})`,
  );
}

/** The first function of the query that converts a member whose type the query does not name. */
export function findMemberConversion(nodes: readonly TreeNode[]): string | null {
  const known = new Map<TreeNode, boolean>();
  for (const node of nodes.filter(({ kind }) => kind === 'FUNCTION')) {
    const [value, ...others] = argumentsOf(node);
    if (value === undefined) continue;
    if (convertsNode(node) && hasMember(value, known)) return detailOf(node, 'function_name');
    // `arrayMap(toUUID, [data.basket])`
    const called = value.kind === 'IDENTIFIER' ? detailOf(value, 'identifier') : '';
    if (converts(called) && others.some((each) => hasMember(each, known))) return called;
  }
  return null;
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

/** Whether the value is made from a member, outside of functions whose result has one type. */
function hasMember(node: TreeNode, known: Map<TreeNode, boolean>): boolean {
  const answer = known.get(node) ?? isOrHasMember(node, known);
  known.set(node, answer);
  return answer;
}

function isOrHasMember(node: TreeNode, known: Map<TreeNode, boolean>): boolean {
  if (node.kind === 'IDENTIFIER') {
    const identifier = detailOf(node, 'identifier');
    return isMember(identifier) || valuesOf(node, identifier).some((each) => hasMember(each, known));
  }
  const name = detailOf(node, 'function_name');
  if (ofOneType.test(name) || converts(name)) return false;
  return node.children.some((each) => hasMember(each, known));
}

/** For a parameter of a lambda, in `arrayMap(x -> toUUID(x), [data.basket])`: what the function passes to the lambda. */
function valuesOf({ parent }: TreeNode, identifier: string): readonly TreeNode[] {
  for (let node = parent; node !== null; node = node.parent) {
    if (node.kind !== 'LAMBDA' || !argumentsOf(node).some((each) => isPartOf(each, identifier))) continue;
    return node.parent?.children.filter(({ kind }) => kind !== 'LAMBDA') ?? [];
  }
  return [];
}

function isPartOf(parameter: TreeNode, identifier: string): boolean {
  const name = detailOf(parameter, 'identifier');
  return identifier === name || identifier.startsWith(`${name}.`);
}

/** A type in the middle, as in `data.items[].id`, is not the type of the member. */
function isMember(identifier: string): boolean {
  return /(?:^|\.)data(?:\.|$)/.test(identifier) && !/\.:(?:`[^`]*`|[^.`]*)$/.test(identifier);
}
