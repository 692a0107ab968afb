import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCommandArguments } from '../command-arguments.ts';
import { standaloneConfig } from '../config.ts';
import { writeStandaloneFile } from '../standalone-file.ts';
import { findApi, keepSession } from './find-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickrate-api-'));
const here = 'http://127.0.0.1:8082';
const nowMs = Date.UTC(2026, 10, 21);

beforeAll(() => {
  writeStandaloneFile(folder, {
    ...{ gateway: 'http://127.0.0.1:8080', auth: 'http://127.0.0.1:8081', console: here },
    ...{ clickhouse: 'http://127.0.0.1:8083', postgres: 'postgres://127.0.0.1:8084/tickrate' },
    ...{ projectId: 'p-1', keys: { public: 'tk_pub_1', administrative: 'tk_adm_1' } },
    admin: { email: 'a@example.com', password: 'secret' },
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

function find(args: readonly string[] = [], environment: Record<string, string> = {}) {
  const given = parseCommandArguments(['status', '--data', folder, ...args]);
  return findApi(given, { ...standaloneConfig.parse(environment), inherited: {} }, nowMs);
}

test('what `npm start` wrote down is the place and its key', () => {
  expect(find()).toMatchObject({ console: here, gateway: 'http://127.0.0.1:8080', key: 'tk_adm_1' });
});

test('no key goes to a server that it was not written down with', () => {
  keepSession(folder, { console: here, projectId: 'p-1', key: 'tk_ses_1', expiry: nowMs / 1000 + 60 });
  const elsewhere = { key: null, keyFrom: null, publicKey: null, gateway: null, auth: null };
  expect(find(['--url', 'https://elsewhere.example'])).toMatchObject(elsewhere);
  expect(find([], { TICKRATE_URL: 'https://elsewhere.example' })).toMatchObject(elsewhere);
});

test('the environment comes first, then an open session, then the file', () => {
  keepSession(folder, { console: here, projectId: 'p-1', key: 'tk_ses_1', expiry: nowMs / 1000 + 60 });
  expect(find([], { TICKRATE_KEY: 'tk_adm_env' }).key).toBe('tk_adm_env');
  expect(find()).toMatchObject({ key: 'tk_ses_1', keyFrom: 'the session of `sign-in`' });
  keepSession(folder, { console: here, projectId: 'p-1', key: 'tk_ses_1', expiry: nowMs / 1000 - 60 });
  expect(find().key).toBe('tk_adm_1');
});

test('a session is for its owner only', () => {
  const path = keepSession(folder, { console: here, projectId: 'p-1', key: 'tk_ses_1', expiry: 1 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
