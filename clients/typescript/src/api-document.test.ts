import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiPath, describeApi } from '../api-document.ts';

test('API.md says what the types say; `npm run docs` writes it', () => {
  expect(readFileSync(apiPath, 'utf8')).toBe(describeApi());
});
