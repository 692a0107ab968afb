import { defineTexts } from '../../../texts/define-texts.ts';

/** What a refusal of the confinement means, and what to do. By the `reason` of `queryFailureErrors`. */
export const faultAdvice = defineTexts('faultAdvice', {
  syntax: 'The statement cannot be read. Check the marked place: a comma, bracket or quote may be missing.',
  notSelect: 'Only one SELECT runs here. Nothing can be changed with SQL.',
  table:
    'The project has no such table. The tables are listed on the left. Write a type with a dot in its name with the database before it.',
  function:
    'The name is misspelled, or the function can do more than compute and is not permitted. Completion lists those that are.',
  settings: 'Remove SETTINGS from the statement. The limits of queries are the same for all.',
  name: 'A quoted name has a sign that is not permitted, or names a hidden column. Use another name.',
  construct: 'This part of SQL is not known to be safe here. Write the statement without it.',
  parameter: 'Fill in each parameter below the statement, with a value of its type.',
  sql: 'ClickHouse cannot run the statement. Check names and types against the tables on the left. Columns with personal data are missing without the right to see them.',
  tooLong: 'A query has 30 seconds. Read fewer events: add a condition on `occurred`.',
  tooManyRows: 'Read or return fewer rows: add a condition on `occurred`, or a LIMIT.',
  tooMuchMemory: 'A query has 1 GiB of memory. Group by fewer values, or add a condition on `occurred`.',
});

type FaultReason = keyof typeof faultAdvice.english;

export interface QueryFault {
  readonly reason: FaultReason;
  readonly message: string;
}

/** The refusal of a statement that a problem of the query call carries; null for another problem. */
export function faultIn(data: Readonly<Record<string, unknown>>): QueryFault | null {
  const { queryFailureErrors } = data;
  const first: unknown = Array.isArray(queryFailureErrors) ? queryFailureErrors[0] : undefined;
  if (typeof first !== 'object' || first === null) return null;
  const { reason, message, location } = first as Readonly<Record<string, unknown>>;
  if (typeof reason !== 'string' || typeof message !== 'string' || location !== 'sql') return null;
  return Object.hasOwn(faultAdvice.english, reason) ? { reason: reason as FaultReason, message } : null;
}
