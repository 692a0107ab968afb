import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeInstallationFile } from '@tickrate/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliConfig } from '../config.ts';
import { findApi } from './find-api.ts';
import { keepSession } from './kept-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickrate-api-'));
const here = 'http://127.0.0.1:8082';
const nowMs = Date.UTC(2026, 10, 21);

beforeAll(() => {
  writeInstallationFile(folder, {
    gateway: 'http://127.0.0.1:8080',
    auth: 'http://127.0.0.1:8081',
    console: here,
    clickhouse: 'http://127.0.0.1:8083',
    postgres: 'postgres://127.0.0.1:8084/tickrate',
    metrics: { gateway: 'http://127.0.0.1:8086' },
    projectId: 'p-1',
    keys: { public: 'tk_pub_1', administrative: 'tk_adm_1' },
    admin: { email: 'a@example.com', password: 'secret' },
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

function find(given: { readonly url?: string } = {}, environment: Record<string, string> = {}) {
  const options = { folder, url: undefined, gateway: undefined, auth: undefined, ...given };
  return findApi(options, cliConfig.parse(environment), nowMs);
}

test('the file of `npm start` has the addresses and the key', () => {
  expect(find()).toMatchObject({ console: here, gateway: 'http://127.0.0.1:8080', key: 'tk_adm_1' });
});

test('a stored key is sent only to the server that it was stored with', () => {
  keepSession(folder, { console: here, projectId: 'p-1', key: 'tk_ses_1', expiry: nowMs / 1000 + 60 });
  const elsewhere = { key: null, keyFrom: null, publicKey: null, gateway: null, auth: null };
  expect(find({ url: 'https://elsewhere.example' })).toMatchObject(elsewhere);
  expect(find({}, { TICKRATE_URL: 'https://elsewhere.example' })).toMatchObject(elsewhere);
});

test('the environment comes first, then an open session, then the file', () => {
  keepSession(folder, { console: here, projectId: 'p-1', key: 'tk_ses_1', expiry: nowMs / 1000 + 60 });
  expect(find({}, { TICKRATE_KEY: 'tk_adm_env' }).key).toBe('tk_adm_env');
  expect(find()).toMatchObject({
    ...{ key: 'tk_ses_1', keyFrom: 'the session of `sign-in`' },
    sessionFile: join(folder, 'session.json'),
  });
  keepSession(folder, { console: here, projectId: 'p-1', key: 'tk_ses_1', expiry: nowMs / 1000 - 60 });
  expect(find().key).toBe('tk_adm_1');
});

test('only the owner can read the file of a session', () => {
  const path = keepSession(folder, { console: here, projectId: 'p-1', key: 'tk_ses_1', expiry: 1 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
