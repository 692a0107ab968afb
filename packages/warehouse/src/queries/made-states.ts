import type { TreeNode } from './query-tree.ts';

/** The functions that make any type of a text, and take its name as their second argument. */
const casts = new Set(['cast', '_cast', 'accuratecast', 'accuratecastornull', 'accuratecastordefault']);

export function isCast(functionName: string): boolean {
  return casts.has(functionName.toLowerCase());
}

/**
 * Whether a type may be the state of an aggregate function. ClickHouse takes the bytes of a state on trust: some that no
 * function made keep it computing without end. A name in quotes may be written with escapes.
 */
export function mayBeState(type: TreeNode | undefined): boolean {
  if (type?.kind !== 'CONSTANT') return true;
  return namesState(type.details) || /["`][^"`]*\\\\/.test(type.details);
}

export function namesState(text: string): boolean {
  return /(?<!Simple)AggregateFunction/.test(text);
}
