import { expect, test } from 'vitest';
import { parseEngineError } from './engine-error.ts';

test.each([
  [
    'Code: 47. DB::Exception: Unknown identifier `x`. (UNKNOWN_IDENTIFIER)',
    { code: 47, type: 'UNKNOWN_IDENTIFIER', message: 'Unknown identifier `x`' },
  ],
  [
    'Query failed: Code: 27. DB::Exception: Code: 27. DB::Exception: Cannot parse: (at row 2)\n: While executing File. (CANNOT_PARSE_INPUT_ASSERTION_FAILED) (version 26.7.2.1). (CANNOT_PARSE_INPUT_ASSERTION_FAILED)',
    {
      code: 27,
      type: 'CANNOT_PARSE_INPUT_ASSERTION_FAILED',
      message: 'Cannot parse: (at row 2)\n: While executing File',
    },
  ],
  [
    'Code: 394. DB::Exception: Cancelled (LATER). (QUERY_WAS_CANCELLED) (version 26.7.2.1 (official build))',
    { code: 394, message: 'Cancelled (LATER)' },
  ],
  ['something else', { code: 1002, type: 'UNKNOWN_EXCEPTION', message: 'something else' }],
])('%s', (text, expected) => {
  expect(parseEngineError(text)).toMatchObject(expected);
});
