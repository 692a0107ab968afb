import { resolve } from 'node:path';
import { ConfigFault } from '@tickrate/platform';
import { describe, expect, test } from 'vitest';
import { parseOptions, standaloneHelp } from './options.ts';

describe('the options of npm start', () => {
  test('have defaults', () => {
    expect(parseOptions([])).toEqual({
      folder: resolve('.tickrate'),
      basePort: 8080,
      fresh: false,
      demo: false,
    });
  });

  test('are read in both spellings', () => {
    const expected = { folder: resolve('/tmp/x'), basePort: 9000, fresh: true, demo: true };
    expect(parseOptions(['--data', '/tmp/x', '--port', '9000', '--fresh', '--demo'])).toEqual(expected);
    expect(parseOptions(['--data=/tmp/x', '--port=9000', '--fresh', '--demo'])).toEqual(expected);
  });

  test('report every fault at once', () => {
    const read = () => parseOptions(['--port', '65535', '--data', '', '--frehs', 'extra']);
    expect(read).toThrow(ConfigFault);
    expect(read).toThrow(/--frehs[\s\S]*extra[\s\S]*--data[\s\S]*--port/);
  });

  test.each(['0', '65531', '-1', '80a', ''])('refuse %j as a port', (port) => {
    expect(() => parseOptions([`--port=${port}`])).toThrow('--port');
  });

  test('are all in the help', () => {
    for (const option of ['--data', '--port', '--fresh', '--help']) {
      expect(standaloneHelp.help()).toContain(option);
    }
  });
});
