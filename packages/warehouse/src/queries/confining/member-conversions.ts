import { isCast } from './made-states.ts';
import { argumentsOf, detailOf, type TreeNode } from './query-tree.ts';

/*
 * The column of a member has all types that the member has in the part, also in rows of other projects. ClickHouse
 * prepares a conversion for each of these types, and fails if it cannot convert one, even if no row of the query has it.
 * The two functions below keep the usual ways to convert a member from breaking on members of other projects. A member
 * that a query renames first is not followed.
 */

const anyText = String.raw`'(?:[^'\\]|\\.)*'`;
const path = String.raw`(?:\w+\.)*data(?:\.(?:\w+|\x60[^\x60:]*\x60))+`;
const scalar = String.raw`'(?:Nullable\()?(?:U?Int|B?Float|Decimal|Bool|Date|Time|UUID|IPv|Enum|FixedString)(?:[^'\\]|\\.)*'`;
const memberCasts = new RegExp(`${anyText}|\\bCAST\\((${path}), (${scalar})\\)`, 'gs');

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
  const found = nodes.find((node) => {
    const [value] = argumentsOf(node);
    return node.kind === 'FUNCTION' && convertsNode(node) && value !== undefined && hasMember(value);
  });
  return found === undefined ? null : detailOf(found, 'function_name');
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
function hasMember(node: TreeNode): boolean {
  if (node.kind === 'IDENTIFIER') return isMember(detailOf(node, 'identifier'));
  const name = detailOf(node, 'function_name');
  if (ofOneType.test(name) || converts(name)) return false;
  return node.children.some(hasMember);
}

/** A type in the middle, as in `data.items[].id`, is not the type of the member. */
function isMember(identifier: string): boolean {
  return /(?:^|\.)data(?:\.|$)/.test(identifier) && !/\.:(?:`[^`]*`|[^.`]*)$/.test(identifier);
}
