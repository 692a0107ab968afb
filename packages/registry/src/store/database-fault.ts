import pg from 'pg';

/** Postgres is unavailable, overloaded or read-only: the same call can succeed later. */
export class RegistryUnavailable extends Error {
  override readonly name = 'RegistryUnavailable';
  /** The SQLSTATE or the system's code, `timeout` if there is none, or `overloaded` if Postgres was not called. */
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(`The registry is unavailable (${code})`, options);
    this.code = code;
  }
}

// Classes: connection, resources, operator intervention, rollback of a conflict; then read-only, lock timeout.
const passing = ['08', '53', '57', '40', '25006', '55P03'];

/** Translates a failed call to Postgres by its SQLSTATE. A fault without one never reached the database. */
export function translateDatabaseFault(error: unknown): unknown {
  if (error instanceof RegistryUnavailable) return error;
  if (!(error instanceof Error)) return error;
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? '';
    return passing.some((prefix) => code.startsWith(prefix))
      ? new RegistryUnavailable(code, { cause: error })
      : error;
  }
  return isDriverFault(error)
    ? new RegistryUnavailable('code' in error ? String(error.code) : 'timeout', { cause: error })
    : error;
}

/** A failed system call, or a plain Error, which the driver throws for its timeouts and for lost connections. */
function isDriverFault(error: Error): boolean {
  return (
    'syscall' in error || error instanceof AggregateError || Object.getPrototypeOf(error) === Error.prototype
  );
}

/** The violated constraint, if the error is a violation of that kind. */
export function violatedConstraint(error: unknown, sqlState: '23503' | '23505'): string | null {
  return error instanceof pg.DatabaseError && error.code === sqlState ? (error.constraint ?? '') : null;
}
