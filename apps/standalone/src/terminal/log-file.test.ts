import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLogFile } from './log-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickrate-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a log file', () => {
  test('continues where an earlier process ended, readable for its owner alone', () => {
    const path = join(folder, 'logs', 'gateway.log');
    for (const line of ['one\n', 'two\n']) {
      const log = openLogFile(path, { onFault: fail });
      log.write(line);
      log.close();
    }
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('never uses more than twice its limit, and keeps the newest lines', () => {
    const path = join(folder, 'worker.log');
    const log = openLogFile(path, { maxBytes: 100, onFault: fail });
    for (let at = 0; at < 50; at++) log.write(`line ${String(at).padStart(4, '0')}\n`);
    log.close();
    expect(readdirSync(folder).sort()).toEqual(['worker.log', 'worker.log.1']);
    const kept = readFileSync(`${path}.1`, 'utf8') + readFileSync(path, 'utf8');
    expect(kept.length).toBeLessThanOrEqual(200);
    expect(kept).toMatch(/line 0048\nline 0049\n$/);
  });

  test('reports once that it cannot be written, and continues when it can', () => {
    const path = join(folder, 'auth.log');
    const faults: unknown[] = [];
    const log = openLogFile(path, { maxBytes: 10, onFault: (error) => faults.push(error) });
    log.write('123456789\n');
    mkdirSync(join(`${path}.1`, 'in the way'), { recursive: true });
    log.write('lost\n');
    log.write('lost\n');
    expect(faults).toHaveLength(1);
    rmSync(`${path}.1`, { recursive: true });
    log.write('kept\n');
    log.close();
    expect(readFileSync(path, 'utf8')).toMatch(/kept\n$/);
  });
});

function fail(error: unknown): never {
  throw error;
}
