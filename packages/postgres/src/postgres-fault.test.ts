import pg from 'pg';
import { expect, test } from 'vitest';
import {
  outcomeOf,
  PostgresUnavailable,
  translatePostgresFault,
  violatedConstraint,
} from './postgres-fault.ts';

// Invariant (Limits and overload): A PostgreSQL that is absent, overloaded, full or read-only is one
// outcome (6001), named by SQLSTATE
test.each([
  ['08006', 'away'],
  ['57P01', 'away'],
  ['57P03', 'away'],
  ['58030', 'away'],
  ['57014', 'timeout'],
  ['53300', 'overloaded'],
  ['53100', 'diskFull'],
  ['25006', 'readOnly'],
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['55P03', 'conflict'],
] as const)('SQLSTATE %s means that Postgres is unavailable: %s', (code, outcome) => {
  const error = databaseError(code);
  const fault = translatePostgresFault(error);
  expect(fault).toBeInstanceOf(PostgresUnavailable);
  expect(fault).toMatchObject({ outcome, sqlState: code, cause: error });
  expect([outcomeOf(error), outcomeOf(fault)]).toEqual([outcome, outcome]);
});

test.each([
  ['23505', 'uniqueViolation'],
  ['23503', 'foreignKeyViolation'],
  ['23001', 'refused'],
  ['42P01', 'refused'],
  ['XX000', 'refused'],
  ['', 'refused'],
] as const)('an error with SQLSTATE "%s" stays as it is: %s', (code, outcome) => {
  const error = databaseError(code);
  expect(translatePostgresFault(error)).toBe(error);
  expect(outcomeOf(error)).toBe(outcome);
});

test('clients receive every unavailability as 6001', () => {
  expect(new PostgresUnavailable('diskFull')).toMatchObject({ code: 6001, status: 503 });
});

test('a lost connection and a timeout of the driver are an absence, whatever their texts say', () => {
  const refused = Object.assign(new SystemCallFault('x'), { code: 'ECONNREFUSED', syscall: 'connect' });
  expect(translatePostgresFault(refused)).toMatchObject({
    outcome: 'away',
    sqlState: 'ECONNREFUSED',
    cause: refused,
  });
  expect(translatePostgresFault(new AggregateError([refused], 'x'))).toMatchObject({ outcome: 'away' });
  expect(translatePostgresFault(new Error('x'))).toMatchObject({ outcome: 'away', sqlState: null });
});

test('a bug and a translated fault stay as they are', () => {
  for (const error of [new TypeError('bug'), new PostgresUnavailable('overloaded'), 'text']) {
    expect(translatePostgresFault(error)).toBe(error);
  }
  expect(outcomeOf(new Error('x'))).toBeNull();
});

test('a violated constraint is known by its name', () => {
  const error = Object.assign(databaseError('23001'), { constraint: 'keep_an_owner' });
  expect(violatedConstraint(error)).toBe('keep_an_owner');
  expect(violatedConstraint(new Error('x'))).toBeNull();
});

class SystemCallFault extends Error {}

function databaseError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('x', 1, 'error'), { code });
}
