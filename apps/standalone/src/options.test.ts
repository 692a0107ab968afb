import { resolve } from 'node:path';
import { ConfigFault } from '@tickrate/platform';
import { describe, expect, test } from 'vitest';
import { gatewaysOption, parseOptions, standaloneHelp } from './options.ts';

describe('the options of npm start', () => {
  test('have defaults', () => {
    expect(parseOptions([])).toEqual({
      folder: resolve('.tickrate'),
      basePort: 8080,
      fresh: false,
      demo: false,
      gateways: null,
    });
  });

  test('are read in both spellings', () => {
    const expected = { folder: resolve('/tmp/x'), basePort: 9000, fresh: true, demo: true, gateways: 2 };
    expect(
      parseOptions(['--data', '/tmp/x', '--port', '9000', '--fresh', '--demo', '--gateways', '2']),
    ).toEqual(expected);
    expect(parseOptions(['--data=/tmp/x', '--port=9000', '--fresh', '--demo', '--gateways=2'])).toEqual(
      expected,
    );
  });

  test('report every fault at once', () => {
    const read = () => parseOptions(['--port', '65535', '--data', '', '--frehs', 'extra']);
    expect(read).toThrow(ConfigFault);
    expect(read).toThrow(/--frehs[\s\S]*extra[\s\S]*--data[\s\S]*--port/);
  });

  test.each(['0', '65518', '-1', '80a', ''])('refuse %j as a port', (port) => {
    expect(() => parseOptions([`--port=${port}`])).toThrow('--port');
  });

  test.each(['0', '9', '-1', 'x', ''])('refuse %j gateways', (gateways) => {
    expect(() => parseOptions([`--gateways=${gateways}`])).toThrow(
      '--gateways requires a number from 1 to 8',
    );
  });

  test('allow several gateways only on Linux, which shares a port between processes', () => {
    expect([gatewaysOption('2', 'linux'), gatewaysOption('1', 'darwin')]).toEqual([2, 1]);
    expect(gatewaysOption('2', 'darwin')).toContain('Linux');
  });

  test('are all in the help', () => {
    for (const option of ['--data', '--port', '--gateways', '--fresh', '--help']) {
      expect(standaloneHelp.help()).toContain(option);
    }
  });
});
