import {
  isAllowedFunction,
  isAllowedTableFunction,
  takesAggregateName,
  takesFunction,
} from './allowed-functions.ts';
import { isCast, mayBeState } from './made-states.ts';
import { findMemberConversion } from './member-conversions.ts';
import { argumentsOf, detailOf, readQueryTree, type TreeNode } from './query-tree.ts';

/** The reason why a query cannot run, for its author. */
export interface QueryRefusal {
  readonly reason: 'notSelect' | 'table' | 'function' | 'settings' | 'name' | 'construct';
  readonly message: string;
}

/**
 * Checks the tree of a query against the allowed features: the project's own tables, functions that only compute, no
 * settings. Unknown features are rejected, so a newer ClickHouse rejects too much rather than too little.
 */
export function checkQueryTree(lines: readonly string[], database: string): QueryRefusal | null {
  if (lines.some((line) => /^ *SETTINGS\b/.test(line))) {
    return { reason: 'settings', message: 'a query cannot change settings' };
  }
  const nodes = readQueryTree(lines);
  if (nodes === null) return { reason: 'construct', message: 'the query cannot be understood' };
  for (const node of nodes) {
    const refusal = checkNode(node, database);
    if (refusal !== null) return refusal;
  }
  return checkMemberConversions(nodes);
}

function checkMemberConversions(nodes: readonly TreeNode[]): QueryRefusal | null {
  const name = findMemberConversion(nodes);
  if (name === null) return null;
  return {
    reason: 'construct',
    message: `${name}() cannot convert a member of unknown type: write data.level::Int64, or for a list the type that dynamicType(data.tags) names, as in data.tags.:\`Array(String)\``,
  };
}

const harmless = new Set([
  'QUERY',
  'UNION',
  'LIST',
  'CONSTANT',
  'MATCHER',
  'WINDOW',
  'SORT',
  'INTERPOLATE',
  'JOIN',
  'CROSS JOIN',
  'ARRAY_JOIN',
  'APPLY COLUMN TRANSFORMER',
  'REPLACE COLUMN TRANSFORMER',
  'EXCEPT COLUMN TRANSFORMER',
]);

function checkNode(node: TreeNode, database: string): QueryRefusal | null {
  if (harmless.has(node.kind)) return null;
  if (node.kind === 'FUNCTION') return checkFunction(node);
  if (node.kind === 'LAMBDA') return checkLambda(node);
  if (node.kind === 'TABLE_FUNCTION') {
    const name = detailOf(node, 'table_function_name');
    if (!isAllowedTableFunction(name))
      return { reason: 'function', message: `a query cannot read from ${name}()` };
    return mayHaveStructure(node)
      ? { reason: 'construct', message: `${name}() accepts rows only, without a structure` }
      : null;
  }
  if (node.kind === 'IDENTIFIER') return checkIdentifier(node, database);
  return {
    reason: 'construct',
    message: `a query cannot use ${node.kind.toLowerCase().replaceAll('_', ' ')}`,
  };
}

function checkFunction(node: TreeNode): QueryRefusal | null {
  const name = detailOf(node, 'function_name');
  if (!isAllowedFunction(name)) return { reason: 'function', message: `queries have no function ${name}()` };
  const [first, second] = argumentsOf(node);
  if (takesAggregateName(name)) return checkAggregateName(first);
  if (!isCast(name) || !mayBeState(second)) return null;
  return { reason: 'construct', message: `${name}() requires a literal type that is not a state` };
}

/**
 * A named lambda hides the function of its name. Calls are judged by name, so none may mean another function than
 * ClickHouse's. No other alias can be called: ClickHouse looks for lambdas only.
 */
function checkLambda(node: TreeNode): QueryRefusal | null {
  if (detailOf(node, 'alias') === '') return null;
  return {
    reason: 'construct',
    message: 'a lambda cannot have a name: write it where it is used, as in arrayMap(x -> x + 1, list)',
  };
}

/** `sum` or `quantile(0.5)` as a text. */
function checkAggregateName(node: TreeNode | undefined): QueryRefusal | null {
  const [, name = ''] = /^constant_value: '(\w+)/.exec(node?.kind === 'CONSTANT' ? node.details : '') ?? [];
  if (name === '')
    return { reason: 'construct', message: 'the name of an aggregate function must be a text' };
  return isAllowedFunction(name)
    ? null
    : { reason: 'function', message: `queries have no function ${name}()` };
}

/** A text can be a structure, whose columns can be expressions: `values('a String, b String ALIAS file(…)', …)`. */
function mayHaveStructure(node: TreeNode): boolean {
  if (detailOf(node, 'table_function_name').toLowerCase() !== 'values') return false;
  const first = node.children[0]?.children[0];
  return first === undefined || !isRow(first);
}

/** A tuple or a number. ClickHouse writes a constant tuple as `_CAST((1, 'a'), 'Tuple(…)')`. */
function isRow(node: TreeNode): boolean {
  if (node.kind === 'CONSTANT') return /^constant_value: (?:Tuple_\(|U?Int64_|Float64_)/.test(node.details);
  const name = detailOf(node, 'function_name');
  if (node.kind !== 'FUNCTION') return false;
  if (name !== '_CAST') return name === 'tuple';
  const [value, type] = node.children[0]?.children ?? [];
  return value !== undefined && isRow(value) && /^constant_value: 'Tuple\(/.test(type?.details ?? '');
}

const tableRoles = new Set([
  'JOIN TREE',
  'TABLE EXPRESSION',
  'LEFT TABLE EXPRESSION',
  'RIGHT TABLE EXPRESSION',
]);

/**
 * Rejects the columns that ClickHouse adds: they name the views that the query reads, which can be others than it names.
 * A name without a dot is a common table expression, or a table of the current database.
 */
function checkIdentifier(node: TreeNode, database: string): QueryRefusal | null {
  const virtual = /(?:^|[.`"])(_database|_table)[`"]?$/.exec(detailOf(node, 'identifier'))?.[1];
  if (virtual !== undefined) return { reason: 'name', message: `there is no column ${virtual}` };
  if (!tableRoles.has(node.role) && !isSetOfIn(node) && !isCalled(node)) return null;
  const name = detailOf(node, 'identifier');
  if (isCalled(node)) {
    return isAllowedFunction(name)
      ? null
      : { reason: 'function', message: `queries have no function ${name}()` };
  }
  if (!name.includes('.') || name.startsWith(`${database}.`) || name === 'system.one') return null;
  return { reason: 'table', message: `there is no table ${name} in this project` };
}

/** `x IN t` reads the table t. */
function isSetOfIn(node: TreeNode): boolean {
  return node.place > 0 && /^(global)?(not)?(null)?in(ignoreset)?$/i.test(calledWith(node));
}

/** `arrayMap(f, x)` calls f, unless f is a column. The tree does not show which. */
function isCalled(node: TreeNode): boolean {
  return node.place === 0 && node.parent?.children.length !== 1 && takesFunction(calledWith(node));
}

/** The function that the node is an argument of. */
function calledWith({ parent }: TreeNode): string {
  const call = parent?.kind === 'LIST' && parent.role === 'ARGUMENTS' ? parent.parent : null;
  return call?.kind === 'FUNCTION' ? detailOf(call, 'function_name') : '';
}
