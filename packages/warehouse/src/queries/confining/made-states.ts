import type { TreeNode } from './query-tree.ts';

/** Functions that convert a text to any type, and accept its name as their second argument. */
const casts = new Set(['cast', '_cast', 'accuratecast', 'accuratecastornull', 'accuratecastordefault']);

export function isCast(functionName: string): boolean {
  return casts.has(functionName.toLowerCase());
}

/**
 * Whether a type can be the state of an aggregate function. ClickHouse trusts the bytes of a state: some bytes that no
 * function made keep it computing forever. A quoted name can contain escapes.
 */
export function mayBeState(type: TreeNode | undefined): boolean {
  if (type?.kind !== 'CONSTANT') return true;
  return namesState(type.details) || /["`][^"`]*\\\\/.test(type.details);
}

export function namesState(text: string): boolean {
  return /(?<!Simple)AggregateFunction/.test(text);
}
