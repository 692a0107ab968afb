import pg from 'pg';
import { expect, test } from 'vitest';
import { RegistryUnavailable, translateDatabaseFault, violatedConstraint } from './database-fault.ts';

test.each(['08006', '53300', '57P01', '57P03', '40001', '25006', '55P03'])(
  'SQLSTATE %s is temporary',
  (code) => {
    const fault = translateDatabaseFault(databaseError(code));
    expect(fault).toBeInstanceOf(RegistryUnavailable);
    expect(fault).toMatchObject({ code });
  },
);

test.each(['23505', '42P01', '22021', ''])('SQLSTATE "%s" is permanent', (code) => {
  const error = databaseError(code);
  expect(translateDatabaseFault(error)).toBe(error);
});

test('a lost connection and a timeout of the driver are temporary', () => {
  const refused = Object.assign(new SystemCallFault('x'), { code: 'ECONNREFUSED', syscall: 'connect' });
  expect(translateDatabaseFault(refused)).toMatchObject({ code: 'ECONNREFUSED', cause: refused });
  expect(translateDatabaseFault(new AggregateError([refused], 'x'))).toBeInstanceOf(RegistryUnavailable);
  expect(translateDatabaseFault(new Error('Query read timeout'))).toMatchObject({ code: 'timeout' });
});

test('bugs and translated faults do not change', () => {
  for (const error of [new TypeError('bug'), new RegistryUnavailable('overloaded'), 'text']) {
    expect(translateDatabaseFault(error)).toBe(error);
  }
});

test('a violated constraint is recognized by its kind', () => {
  expect(violatedConstraint(databaseError('23503', 'keys_project'), '23503')).toBe('keys_project');
  expect(violatedConstraint(databaseError('23505'), '23503')).toBeNull();
  expect(violatedConstraint(new Error('x'), '23503')).toBeNull();
});

class SystemCallFault extends Error {}

function databaseError(code: string, constraint?: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('x', 1, 'error'), { code, constraint });
}
