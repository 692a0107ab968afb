import { isAggregate, takesFunction } from '../confining/allowed-functions.ts';
import { detailOf, type TreeNode } from '../confining/query-tree.ts';
import type { Copies } from './count-copies.ts';
import { cubeCost, ownCost, preparingCost, rowCost, stateCost } from './function-costs.ts';
import { oneRow, type RowBounds, rowsOf } from './row-bounds.ts';
import {
  argumentsOf,
  type Bounds,
  calledName,
  constantBounds,
  constantNumber,
  eachRow,
  mostElements,
  resultBounds,
  unknown,
} from './value-bounds.ts';

export interface CostEstimate {
  /** The most work of ClickHouse between two cancellation checks, in units of about 2.5 ns. */
  readonly cost: number;
  /** The function with the largest share. */
  readonly worst: string;
}

/**
 * Estimates an upper bound of the work of a query in one step: constant folding during planning, and one block of rows.
 * It uses the sizes in the query, such as `range(60000)`, and assumes that stored values are small. Returns null if the
 * query is too complex for a bound.
 */
export function estimateCost(nodes: readonly TreeNode[], copies: Copies): CostEstimate | null {
  const estimator = new CostEstimator(nodes);
  for (const query of nodes) if (query.kind === 'QUERY') estimator.add(query, copies.get(query) ?? 1);
  return estimator.isLost ? null : estimator.estimate;
}

/** Aggregate functions whose result has at most as many elements as they read rows. */
const gathering =
  /^(grouparray|grouparraylast|grouparraysorted|groupuniqarray|array_agg|topk)(if|distinct)?$/;
/** Functions whose result has at most as many elements as their first argument. */
const shrinking = /^array(slice|sort|reversesort|reverse|distinct|compact)$/;

type Environment = ReadonlyMap<string, Bounds>;

const nothing: Environment = new Map();
/** An alias is expanded for each use. */
const mostSteps = 100_000;
const mostDepth = 500;
/** A nested lambda copies its captured values for every element. */
const capturing = 10;

/** The state of the estimator: how often an expression is computed, and for how many rows. */
interface Position {
  readonly times: number;
  /** Lambdas around the expression. */
  readonly level: number;
  readonly rows: RowBounds;
  /** Constants are computed again for each copy of the subquery. */
  readonly copies: number;
}

class CostEstimator {
  readonly #aliases = new Map<string, TreeNode>();
  /** The names of functions as their author wrote them. */
  readonly #written = new Map<string, string>();
  readonly #open = new Set<TreeNode>();
  #at: Position = { times: 1, level: 0, rows: oneRow, copies: 1 };
  #steps = 0;
  #depth = 0;
  #cost = 0;
  #worst = { name: '', cost: 0 };

  constructor(nodes: readonly TreeNode[]) {
    for (const node of nodes) {
      if (node.kind === 'FUNCTION') this.#written.set(calledName(node), detailOf(node, 'function_name'));
      const alias = detailOf(node, 'alias');
      if (alias !== '') this.#aliases.set(alias, node);
    }
  }

  get isLost(): boolean {
    return this.#steps > mostSteps;
  }

  get estimate(): CostEstimate {
    const { name } = this.#worst;
    return { cost: this.#cost, worst: this.#written.get(name) ?? name };
  }

  add(query: TreeNode, copies: number): void {
    const rows = rowsOf(query, (node) => this.#boundsOf(node, nothing));
    for (const expression of expressionsOf(query)) {
      this.#atPosition({ times: 1, level: 0, rows, copies }, () => this.#boundsOf(expression, nothing));
    }
    if (detailOf(query, 'group_by_type') !== 'cube') return;
    const cost = cubeCost(argumentsOf(query, 'GROUP BY').length);
    this.#atPosition({ times: 1, level: 0, rows, copies }, () => this.#count('CUBE', cost, eachRow));
  }

  #atPosition<T>(position: Position, look: () => T): T {
    const before = this.#at;
    this.#at = position;
    try {
      return look();
    } finally {
      this.#at = before;
    }
  }

  #count(name: string, units: number, level: number): void {
    const { times, rows, level: depth, copies } = this.#at;
    const added =
      units *
      (depth > 1 ? capturing : 1) *
      (level === 0 ? Math.min(times, 1) * copies : times) *
      (level === eachRow ? rows.block : 1);
    this.#cost += added;
    if (added > this.#worst.cost) this.#worst = { name, cost: added };
  }

  #boundsOf(node: TreeNode, environment: Environment): Bounds {
    this.#steps += 1;
    if (this.isLost || this.#depth > mostDepth) {
      this.#steps = mostSteps + 1;
      return unknown;
    }
    this.#depth += 1;
    try {
      return this.#lookAt(node, environment);
    } finally {
      this.#depth -= 1;
    }
  }

  #lookAt(node: TreeNode, environment: Environment): Bounds {
    if (node.kind === 'CONSTANT') return constantBounds(node);
    if (node.kind === 'IDENTIFIER') return this.#ofName(detailOf(node, 'identifier'), environment);
    if (node.kind === 'FUNCTION') return this.#ofFunction(node, environment);
    if (node.kind === 'LAMBDA') return this.#ofBody(node, environment);
    if (node.kind === 'QUERY' || node.kind === 'UNION') return this.#ofSubquery(node);
    return unknown;
  }

  #ofName(name: string, environment: Environment): Bounds {
    const known = environment.get(name);
    if (known !== undefined) return known;
    const last = name.split('.').at(-1) ?? name;
    const target = this.#aliases.get(name) ?? this.#aliases.get(last);
    if (target === undefined || this.#open.has(target)) {
      return last === 'number' ? { ...unknown, size: 1, most: this.#at.rows.all } : unknown;
    }
    // The root of a query.
    if (target.kind === 'QUERY' || target.kind === 'UNION') return this.#boundsOf(target, environment);
    return this.#once(target, () => this.#boundsOf(target, environment));
  }

  #once(node: TreeNode, look: () => Bounds): Bounds {
    this.#open.add(node);
    try {
      return look();
    } finally {
      this.#open.delete(node);
    }
  }

  /** A subquery as a value. Its own cost is counted when it is visited as a query. */
  #ofSubquery(node: TreeNode): Bounds {
    const query = node.kind === 'UNION' ? argumentsOf(node, 'QUERIES')[0] : node;
    const value = query === undefined ? undefined : argumentsOf(query, 'PROJECTION')[0];
    if (query === undefined || value === undefined || this.#open.has(node)) return unknown;
    return this.#once(node, () => {
      const rows = rowsOf(query, (each) => this.#boundsOf(each, nothing));
      const bounds = this.#atPosition({ times: 0, level: 0, rows, copies: 1 }, () =>
        this.#boundsOf(value, nothing),
      );
      return { ...bounds, level: 0 };
    });
  }

  #ofFunction(node: TreeNode, environment: Environment): Bounds {
    const name = calledName(node);
    const nodes = argumentsOf(node);
    const lambda = takesFunction(name) ? this.#lambdaOf(nodes[0]) : null;
    const given = nodes.slice(lambda === null ? 0 : 1).map((each) => this.#boundsOf(each, environment));
    if (lambda !== null) return this.#ofLambda({ name, lambda, given }, environment);
    if (isAggregate(name)) return this.#ofAggregate(node, name, given);
    const result = resultBounds(name, given);
    const isOnce = name === 'arrayjoin' && this.#isGathered(nodes[0]);
    this.#count(name, ownCost(name, given, result), isOnce ? 0 : result.level);
    this.#count(name, preparingCost(name, given), 0);
    return result;
  }

  /**
   * Whether an array contains rows that an aggregate function collected. All groups together have at most as many
   * elements as rows were read.
   */
  #isGathered(node: TreeNode | undefined, steps = 0): boolean {
    if (node === undefined || steps > 10) return false;
    if (node.kind === 'IDENTIFIER') {
      return this.#isGathered(this.#aliases.get(detailOf(node, 'identifier')), steps + 1);
    }
    if (node.kind !== 'FUNCTION') return false;
    const name = calledName(node);
    return (
      gathering.test(name) || (shrinking.test(name) && this.#isGathered(argumentsOf(node)[0], steps + 1))
    );
  }

  #ofAggregate(node: TreeNode, name: string, given: readonly Bounds[]): Bounds {
    const { all } = this.#at.rows;
    const size = given.reduce((most, each) => Math.max(most, each.size), 1);
    const most = given.reduce((so, each) => Math.max(so, each.most), 0);
    const parameters = argumentsOf(node, 'PARAMETERS');
    this.#count(name, stateCost(name, parameters.map(constantNumber)), 0);
    const isExact = parameters.some(({ details }) => details.includes("'exact'"));
    this.#count(name, isExact ? all ** 2 : rowCost(name, size), isExact ? 0 : eachRow);
    const isGathering = /^(group(?!bit)|array_agg|string_agg|topk|approx_top|summap)/.test(name);
    if (!isGathering) return { size, most: most * all, level: 0 };
    return { size: Math.min(size * all, mostElements), most, level: 0 };
  }

  #ofLambda(call: LambdaCall, environment: Environment): Bounds {
    const { name, lambda, given } = call;
    const elements = given.slice(0, name === 'arrayfold' ? -1 : undefined);
    const count = elements.reduce((most, { size }) => Math.max(most, size), 1);
    const outside = this.#at;
    const inside = { ...outside, times: outside.times * count, level: outside.level + 1 };
    const value = this.#atPosition(inside, () =>
      this.#boundsOf(lambda, this.#argumentsIn(call, environment)),
    );
    const ofBody = value.level === inside.level ? outside.level : value.level;
    const level = Math.max(ofBody, ...given.map((each) => each.level));
    this.#count(name, ownCost(name, [{ ...unknown, size: count }], unknown), level);
    const isMapping = name === 'arraymap' || name === 'mapapply';
    if (isMapping) return { ...value, size: Math.min(count * value.size, mostElements), level };
    return { ...resultBounds(name, name === 'arrayfold' ? [value] : given), level };
  }

  /** Each argument of a lambda is an element of an array. The first argument of a fold is the accumulated value. */
  #argumentsIn({ name, lambda, given }: LambdaCall, environment: Environment): Environment {
    const inner = new Map(environment);
    const isFold = name === 'arrayfold';
    argumentsOf(lambda).forEach((argument, at) => {
      const array = (isFold ? given.at(at - 1) : given.at(at)) ?? unknown;
      const size = isFold && at === 0 ? array.size : 1;
      const level = Math.max(array.level, this.#at.level + 1);
      inner.set(detailOf(argument, 'identifier'), { ...array, size, level });
    });
    return inner;
  }

  #ofBody(lambda: TreeNode, environment: Environment): Bounds {
    const body = lambda.children.find(({ role }) => role === 'EXPRESSION');
    return body === undefined ? unknown : this.#boundsOf(body, environment);
  }

  #lambdaOf(node: TreeNode | undefined): TreeNode | null {
    if (node?.kind === 'LAMBDA') return node;
    const named = node?.kind === 'IDENTIFIER' ? this.#aliases.get(detailOf(node, 'identifier')) : undefined;
    return named?.kind === 'LAMBDA' ? named : null;
  }
}

interface LambdaCall {
  readonly name: string;
  readonly lambda: TreeNode;
  readonly given: readonly Bounds[];
}

/** The expressions of one query, without those of its subqueries. */
function expressionsOf(query: TreeNode): TreeNode[] {
  return query.children.flatMap(expressionsIn);
}

function expressionsIn(node: TreeNode): TreeNode[] {
  if (node.kind === 'FUNCTION' || node.kind === 'LAMBDA') return [node];
  if (node.kind === 'QUERY' || node.kind === 'UNION') return [];
  return node.children.flatMap(expressionsIn);
}
