import { SystemError } from '@tickrate/contract';
import pg from 'pg';

/** What keeps Postgres from doing what it could do later. */
export type UnavailableOutcome = 'away' | 'timeout' | 'overloaded' | 'diskFull' | 'readOnly' | 'conflict';

export type PostgresOutcome = UnavailableOutcome | 'uniqueViolation' | 'foreignKeyViolation' | 'refused';

interface UnavailableOptions extends ErrorOptions {
  readonly sqlState?: string | null;
  readonly outcomeUnknown?: boolean;
}

/**
 * The same call can succeed later. Postgres did not do what the call asked, unless `data.outcomeUnknown` is true: then it
 * received a write and did not answer. Clients receive it as 6001.
 */
export class PostgresUnavailable extends SystemError {
  readonly outcome: UnavailableOutcome;
  /** The SQLSTATE, or the code of the failed system call. Null if there is none. */
  readonly sqlState: string | null;

  constructor(outcome: UnavailableOutcome, options: UnavailableOptions = {}) {
    const { cause, sqlState, outcomeUnknown } = options;
    const data = { retryAfterSeconds: 1, ...(outcomeUnknown === true && { outcomeUnknown }) };
    super('temporarilyUnavailable', data, { cause });
    this.name = 'PostgresUnavailable';
    this.outcome = outcome;
    this.sqlState = sqlState ?? null;
  }
}

/** By the longest prefix of the SQLSTATE that is listed. Every other code is `refused`. */
const outcomes: Readonly<Record<string, PostgresOutcome>> = {
  '08': 'away', // connection exception
  '23503': 'foreignKeyViolation',
  '23505': 'uniqueViolation',
  '25006': 'readOnly', // read-only transaction: a standby, or a server that an operator made read-only
  '40': 'conflict', // rolled back because of a concurrent transaction
  '53': 'overloaded', // insufficient resources
  '53100': 'diskFull',
  '55': 'conflict', // an object in use, or a lock that was not free in time
  '57': 'away', // shut down, restarted, or still starting
  '57014': 'timeout', // the statement took too long
  '58': 'away', // the server's own file system fails
};

/** The outcome that an error of the driver, or a translated one, stands for. Null for every other error. */
export function outcomeOf(error: unknown): PostgresOutcome | null {
  if (error instanceof PostgresUnavailable) return error.outcome;
  return error instanceof pg.DatabaseError ? outcomeOfSqlState(error.code ?? '') : null;
}

/**
 * Translates what the driver threw, by its SQLSTATE. An error without one did not come from the server: the connection
 * failed, or no answer came in time. An error that no later attempt can change stays as it is.
 */
export function translatePostgresFault(error: unknown): unknown {
  if (error instanceof PostgresUnavailable) return error;
  if (!(error instanceof pg.DatabaseError)) {
    return isDriverFault(error)
      ? new PostgresUnavailable('away', {
          cause: error,
          ...('code' in error && { sqlState: String(error.code) }),
        })
      : error;
  }
  const outcome = outcomeOfSqlState(error.code ?? '');
  if (outcome === 'refused' || outcome === 'uniqueViolation' || outcome === 'foreignKeyViolation')
    return error;
  return new PostgresUnavailable(outcome, { cause: error, ...(error.code && { sqlState: error.code }) });
}

/** The name of the constraint that the server refused to violate. Null for every other error. */
export function violatedConstraint(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.constraint ?? null) : null;
}

function outcomeOfSqlState(code: string): PostgresOutcome {
  return outcomes[code] ?? outcomes[code.slice(0, 2)] ?? 'refused';
}

/** A failed system call, or a plain Error, which the driver throws for its timeouts and for lost connections. */
function isDriverFault(error: unknown): error is Error {
  return (
    error instanceof Error &&
    ('syscall' in error ||
      error instanceof AggregateError ||
      Object.getPrototypeOf(error) === Error.prototype)
  );
}
