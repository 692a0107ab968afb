import { dataOption, type InstallationFile, installationFilePath } from '@tickrate/platform';
import { expect, test } from 'vitest';
import { instructionsText } from './instructions.ts';
import type { Paint } from './terminal.ts';

const plain: Paint = { strong: String, dim: String, good: String, bad: String, warn: String };

const file: InstallationFile = {
  gateway: 'http://127.0.0.1:8080',
  auth: 'http://127.0.0.1:8081',
  console: 'http://127.0.0.1:8082',
  clickhouse: 'http://tickrate:clickhouse-password@127.0.0.1:8083',
  postgres: 'postgres://tickrate:postgres-password@127.0.0.1:8084/tickrate',
  metrics: {},
  projectId: 'p-1',
  keys: { public: 'tk_pub_everybody', administrative: 'tk_adm_secret' },
  admin: { email: 'admin@example.com', password: 'admin-password' },
};

const link = { emailAddress: 'admin@example.com', url: 'http://127.0.0.1:8082/sign-in#link=once' };
const given = { file, filePath: '/data/standalone.json', tookMs: 3_000, paint: plain };

// Invariant (HTTP): A startup prints no secret that lasts: a sign-in link works once, within ten minutes
test('the start prints the path of the file with the secrets, and no lasting secret', () => {
  const text = instructionsText({ ...given, link });
  expect(text).toContain('/data/standalone.json');
  expect(text).toContain('tk_pub_everybody');
  for (const secret of ['clickhouse-password', 'postgres-password', 'tk_adm_secret', 'admin-password'])
    expect(text).not.toContain(secret);
});

test('the start prints how to sign in, also without a link', () => {
  expect(instructionsText({ ...given, link })).toContain(
    'Open the console as admin@example.com (once, within ten minutes):\n  http://127.0.0.1:8082/sign-in#link=once\n',
  );
  expect(instructionsText({ ...given, link: null })).toContain("sign-in-link --data '/data'");
});

test('the start links the page that shows the event of the step before', () => {
  expect(instructionsText({ ...given, link })).toContain('\n  http://127.0.0.1:8082/p/p-1/live\n');
});

test('lines fit into a terminal of 80 columns', () => {
  const keys = { ...file.keys, public: `tk_pub_${'k'.repeat(43)}` };
  const url = `http://127.0.0.1:8082/sign-in#link=${'k'.repeat(43)}`;
  const filePath = installationFilePath(dataOption(undefined) ?? '');
  const text = instructionsText({ ...given, file: { ...file, keys }, filePath, link: { ...link, url } });
  const lines = text.split('\n').filter((line) => !line.includes(filePath));
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
