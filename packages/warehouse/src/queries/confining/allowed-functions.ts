import { functionNames, higherOrderFunctions } from './function-names.ts';

/**
 * Whether a query of a customer may call this function. Those listed compute from their arguments alone: they read no
 * table, file, dictionary, setting or fact of the server, reach no network and wait for nothing. None shows how ClickHouse
 * stores or splits rows: parts and dictionaries hold the rows of several projects.
 */
export function isAllowedFunction(name: string): boolean {
  const lower = name.toLowerCase();
  return allowed.has(lower) || isCombined(lower);
}

/** Table functions that create rows only from their arguments. */
export function isAllowedTableFunction(name: string): boolean {
  return allowedTableFunctions.has(name.toLowerCase());
}

/** Whether its first of several arguments is a function: a lambda, or the name of one. */
export function takesFunction(name: string): boolean {
  return takingFunctions.has(name.toLowerCase());
}

/** Whether its first argument is a text with the name of an aggregate function, as in `arrayReduce('sum', …)`. */
export function takesAggregateName(name: string): boolean {
  return takingAggregateNames.has(name.toLowerCase());
}

const takingAggregateNames = new Set(['arrayreduce', 'arrayreduceinranges', 'initializeaggregation']);

const allowedTableFunctions = new Set(['numbers', 'generateseries', 'generate_series', 'values']);

/**
 * The combinators after the name of an aggregate function. Several can follow. `State` is missing: the bytes of a state
 * show in which files of a part ClickHouse keeps the members of `data`.
 */
const combinators = [
  'if',
  'array',
  'map',
  'tuple',
  'foreach',
  'distinct',
  'ordefault',
  'ornull',
  'resample',
  'argmin',
  'argmax',
  'simplestate',
];

const allowed = new Set(Object.values(functionNames).flatMap(words));
const takingFunctions = new Set(words(higherOrderFunctions));
const aggregates = new Set(words(functionNames.aggregateFunctions));

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function isCombined(name: string): boolean {
  return combinators.some((suffix) => {
    if (!name.endsWith(suffix)) return false;
    const rest = name.slice(0, -suffix.length);
    return aggregates.has(rest) || isCombined(rest);
  });
}
