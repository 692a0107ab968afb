import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { type CatalogueEntry, errorCatalogue, type Reason } from './error-catalogue.ts';
import { systemErrorSchema } from './event-api.ts';
import { parameterMissing, problemBody, systemError, systemErrorBody } from './system-error.ts';

const reasons = Object.keys(errorCatalogue) as Reason[];
const isSystemError = new Ajv2020().compile(systemErrorSchema);

describe('a SystemError', () => {
  test('has the same members for every reason', () => {
    for (const reason of reasons) {
      const body = systemErrorBody(systemError(reason, { amount: 3 }), 'r-1');
      expect(isSystemError(body), reason).toBe(true);
      expect(body.data).toEqual({ amount: 3, requestId: 'r-1', reason });
    }
  });

  test('has a unique code and an error status', () => {
    const entries: CatalogueEntry[] = Object.values(errorCatalogue);
    expect(new Set(entries.map(({ code }) => code)).size).toBe(entries.length);
    expect(entries.every(({ status }) => status >= 400 && status < 600)).toBe(true);
  });

  test('cannot have its request id or reason overwritten by its data', () => {
    const { data } = systemErrorBody(systemError('rateLimited', { requestId: 'x', reason: 'y' }), 'r-2');
    expect(data).toEqual({ requestId: 'r-2', reason: 'rateLimited' });
  });

  test('names a missing parameter in its message', () => {
    const error = parameterMissing('eventType');
    expect(error.message).toBe("The parameter 'eventType' is missing or invalid");
    expect(error.data).toMatchObject({ parameterName: 'eventType', parameterIsMissing: true });
  });

  test('is a problem document with the members of RFC 9457 added', () => {
    const problem = problemBody(systemError('bodyTooLarge', { amount: 1 }), 'r-3');
    expect(problem).toMatchObject({
      status: 413,
      code: 1004,
      title: 'The body is too large',
    });
    expect(problem.instance).toContain('r-3');
  });
});
