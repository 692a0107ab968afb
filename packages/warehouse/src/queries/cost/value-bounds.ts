import { detailOf, type TreeNode } from '../confining/query-tree.ts';

/** Known upper bounds of an expression before it runs. */
export interface Bounds {
  /** Elements of an array, including nested arrays; characters of a text; 1 for a number. */
  readonly size: number;
  /** Bound of the numbers in it. */
  readonly most: number;
  /** The value of a number in the query. Absent if only `most` is known. */
  readonly exact?: number;
  /**
   * The source of its value: 0 for constants or all rows together, so that it is computed once; n for an argument of
   * the n-th of the enclosing lambdas; `eachRow` for a row.
   */
  readonly level: number;
}

export const eachRow = Number.POSITIVE_INFINITY;
/** Members of events are small. The memory and time limits of a query bound what it collects from them. */
const memberSize = 64;
/** The content that fits in the memory of a query. */
export const mostElements = 1_000_000_000;
export const unknown: Bounds = { size: memberSize, most: 1_000, level: eachRow };
const none: Bounds = { size: 1, most: 0, level: 0 };

/** Reads a constant in the form of the tree: `UInt64_5`, `'text'`, `Array_[UInt64_1, UInt64_2]`. */
export function constantBounds({ details }: TreeNode): Bounds {
  const [, text = ''] = /constant_value: (.*), constant_value_type: /s.exec(details) ?? [];
  const quoted = /^'(.*)'$/s.exec(text)?.[1];
  if (quoted !== undefined)
    return { size: Math.max(1, quoted.length), most: magnitude(quoted) ?? 0, level: 0 };
  const numbers = [...text.matchAll(/_(-?(?:\d[\d.]*(?:e[+-]?\d+)?|inf|nan))/g)].map(([, digits]) =>
    magnitude(digits),
  );
  const isNegative = text.includes('_-');
  // A negative number as a size is a huge number.
  const most = isNegative
    ? mostElements
    : numbers.reduce<number>((so, each) => Math.max(so, each ?? mostElements), 0);
  const bounds = { size: Math.max(1, numbers.length), most, level: 0 };
  return numbers.length === 1 && !isNegative ? { ...bounds, exact: most } : bounds;
}

/** The number of a constant, with its sign. Null for any other expression. */
export function constantNumber({ details }: TreeNode): number | null {
  const [, digits] =
    /constant_value: \w+?_(-?\d[\d.]*(?:e[+-]?\d+)?), constant_value_type: /.exec(details) ?? [];
  return digits === undefined ? null : Number(digits);
}

function magnitude(digits = ''): number | null {
  const number = Math.abs(Number(digits));
  return Number.isNaN(number) ? null : number;
}

/** The limit of repetitions in ClickHouse. */
const mostRepeats = 1_000_000;
/** The default length of a slot of `timeSlots`, in seconds. */
const usualSlot = 1_800;
const cellsOfRing = (steps: number): number => 3 * (steps + 1) ** 2;
const finestResolution = 15;
const cellsOfResolution = (resolution: number): number => 120 * 7 ** Math.min(resolution, finestResolution);

type Sizes = (given: readonly [Bounds, Bounds, Bounds]) => number;

/** A pattern can match at each character. */
const replaced: Sizes = ([text, , replacement]) => text.size * Math.max(1, replacement.size);

/** Functions whose result is larger than their arguments. */
const growing: Readonly<Record<string, Sizes>> = {
  range: ([from, to]) => from.most + to.most,
  repeat: ([text, times]) => text.size * Math.min(times.most, mostRepeats),
  space: ([times]) => Math.min(times.most, mostRepeats),
  arraywithconstant: ([length, value]) => length.most * value.size,
  arrayresize: ([array, length, value]) => array.size + length.most * value.size,
  leftpad: ([text, length]) => text.size + length.most,
  leftpadutf8: ([text, length]) => text.size + length.most,
  rightpad: ([text, length]) => text.size + length.most,
  rightpadutf8: ([text, length]) => text.size + length.most,
  lpad: ([text, length]) => text.size + length.most,
  rpad: ([text, length]) => text.size + length.most,
  timeslots: ([, duration, slot]) =>
    duration.most / Math.max(1, slot === none ? usualSlot : (slot.exact ?? 1)),
  mappopulateseries: ([map, second, third]) => map.size + map.most + second.most + third.most,
  randomstring: ([length]) => length.most,
  randomstringutf8: ([length]) => length.most,
  randomprintableascii: ([length]) => length.most,
  randomfixedstring: ([length]) => length.most,
  tofixedstring: ([, length]) => length.most,
  // Each part of the address is repeated in all parts after it. A part has at least two characters.
  urlhierarchy: ([url]) => url.size ** 2 / 4,
  urlpathhierarchy: ([url]) => url.size ** 2 / 4,
  replaceall: replaced,
  replaceregexpall: replaced,
  regexp_replace: replaced,
  ngrams: ([text, length]) => text.size * Math.max(1, length.most),
  arrayshingles: ([array, length]) => array.size * Math.max(1, length.most),
  h3kring: ([, steps]) => cellsOfRing(steps.most),
  h3hexring: ([, steps]) => cellsOfRing(steps.most),
  h3tochildren: ([, resolution]) => cellsOfResolution(resolution.most),
  h3polygontocells: ([, resolution]) => cellsOfResolution(resolution.most),
  h3polygontocellswithcontainment: ([, resolution]) => cellsOfResolution(resolution.most),
};

/** Functions that always return one number. */
const scalar =
  /^(length|lengthutf8|empty|notempty|to(u?int|float|date|unix|bool)\w*|has\w*|\w*distance|\w*similarity|\w*hash\w*|position\w*|count\w*|like|ilike|match|equals|notequals|less\w*|greater\w*|and|or|not|in|notin|plus|minus|multiply|divide|intdiv|modulo|array(sum|count|min|max|avg|exists|all|product|uniq)|indexof)$/;

/** The bounds of the result of a function that is not an aggregate and has no lambda. */
export function resultBounds(name: string, given: readonly Bounds[]): Bounds {
  const [first = none, second = none, third = none] = given;
  const total = given.reduce((sum, { size }) => sum + size, 0);
  const grown = growing[name]?.([first, second, third]);
  const isOne = scalar.test(name) || name === 'arrayjoin' || name === 'arrayelement';
  const size = grown ?? (isOne ? Math.min(1, total) : total);
  return {
    size: Math.max(1, Math.min(Number.isNaN(size) ? mostElements : size, mostElements)),
    most: mostOf(name, given),
    level: changing.test(name) ? eachRow : Math.max(0, ...given.map(({ level }) => level)),
  };
}

/** Functions whose result does not depend only on their arguments. */
const changing =
  /^(rand|generate|arrayshuffle|arraypartialshuffle|arrayrandomsample|arrayjoin|hassubsequence)/;
/** Functions whose result is at most their largest argument. */
const keeping =
  /^(to(u?int|float|decimal)\w*|intdiv\w*|divide\w*|round\w*|floor|ceil\w*|trunc\w*|abs|least|greatest|if|multiif|ifnull|coalesce|assumenotnull|_?cast|accuratecast\w*|array\w*|range|tuple\w*|map\w*|sqrt|log\w*)$/;

function mostOf(name: string, given: readonly Bounds[]): number {
  const all = given.map(({ most }) => most);
  if (name === 'plus' || name === 'minus') return all.reduce((sum, each) => sum + each, 0);
  if (name === 'multiply') return all.reduce((product, each) => product * each, 1);
  if (name.startsWith('modulo')) return given[1]?.most ?? 0;
  if (name.startsWith('length')) return given[0]?.size ?? 0;
  // A constant or a text can become any number. Values from events are assumed to stay small.
  const isMade = !keeping.test(name) && given.every(({ level }) => level === 0);
  return isMade ? mostElements : Math.max(0, ...all);
}

/** In lower case, because ClickHouse ignores the case of most function names. */
export function calledName(node: TreeNode): string {
  const key = node.kind === 'TABLE_FUNCTION' ? 'table_function_name' : 'function_name';
  return detailOf(node, key).toLowerCase();
}

export function argumentsOf(node: TreeNode, role = 'ARGUMENTS'): readonly TreeNode[] {
  return node.children.find((child) => child.role.trim() === role)?.children ?? [];
}
