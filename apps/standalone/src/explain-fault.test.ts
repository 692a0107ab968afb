import { EmbeddedFault } from '@tickrate/embedded';
import { expect, test } from 'vitest';
import { requireSupportedPlatform } from './processes/supported-platform.ts';
import { explainFault } from './start-fault.ts';

test('a platform without embedded databases is reported before anything is created', () => {
  expect(() => requireSupportedPlatform('win32', 'x64')).toThrow('win32-x64');
  expect(() => requireSupportedPlatform('linux', 'x64')).not.toThrow();
});

test.each([
  ['portTaken', '--port N'],
  ['portForbidden', 'above 1023 with --port N'],
  ['notWritable', '--data DIR'],
  ['noFolder', '--data DIR'],
  ['diskFull', '--data DIR'],
  ['remoteDisk', '--data DIR'],
  ['dataInUse', '--data DIR --port N'],
] as const)(
  'a database that cannot start because of %s is explained by our own options',
  (reason, option) => {
    const fault = new EmbeddedFault(reason, 'It cannot');
    expect(explainFault(fault, '/data/logs')).toEqual({
      message: 'It cannot',
      advice: expect.stringContaining(option),
    });
  },
);

test('an unexpected fault is one line that names the logs', () => {
  const explained = explainFault(new Error('first line\nsecond line'), '/data/logs');
  expect(explained).toEqual({
    message: 'The start failed: first line',
    advice: expect.stringContaining('/data/logs'),
  });
});

test('a disk that fills up during the start is reported as a full disk', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(explainFault(error, '/data/logs').advice).toContain('Free some space');
});
