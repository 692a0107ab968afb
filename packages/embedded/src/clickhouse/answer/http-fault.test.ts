import { expect, test } from 'vitest';
import { EngineError } from '../engine/engine-error.ts';
import { createRedact } from './http-fault.ts';

const redact = createRedact(['/data/click (house)', '/dev/shm/tickrate-1']);

test.each([
  ["In scope SELECT 1 INTO OUTFILE '/data/x/pipe-1' TRUNCATE FORMAT CSV", 'In scope SELECT 1 FORMAT CSV'],
  ["INSERT INTO t FROM INFILE '/dev/shm/x' COMPRESSION 'zstd' FORMAT CSV", 'INSERT INTO t FORMAT CSV'],
  [
    "position 22 (OUTFILE) (line 1, col 22): OUTFILE '/data/pipe-1' TRUNCATE format CSV. Expected",
    'position 22 (end of query) (line 1, col 22): . Expected',
  ],
  ["position 9 (INTO): INTO OUTFILE '/a' TRUNCATE FORMAT CSV", 'position 9 (end of query):  FORMAT CSV'],
  ["position 3 (x): x INTO OUTFILE '/a' TRUNCATE format CSV. Expected", 'position 3 (x): x. Expected'],
  ['(in file/uri /dev/shm/tickrate-1/ab-1): x', '(in file/uri <file>): x'],
  ["open '/data/click (house)/data/store/a.bin', errno: 2", "open '<file>', errno: 2"],
  ["in scope SELECT 1 FROM `file('a.csv', CSV)`", "in scope SELECT 1 FROM file('a.csv', CSV)"],
  [
    "The function file() is not supported: while executing 'FUNCTION throwIf(1_UInt8 :: 1, 'x'_String :: 2) -> throwIf(1)'",
    'The function file() is not supported',
  ],
  ['/etc/passwd of the client', '/etc/passwd of the client'],
])('%s', (message, expected) => {
  expect(redact(new EngineError(1, 'X', message))).toMatchObject({ code: 1, type: 'X', message: expected });
});
