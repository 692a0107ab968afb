import { lintOpenApi } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { errorCatalogue } from '../error-catalogue.ts';
import { renderDocumentPage } from './document-page.ts';
import { createEventDocument } from './event-document.ts';
import { createSessionDocument } from './session-document.ts';

describe.each([
  ['events', createEventDocument],
  ['sessions', createSessionDocument],
])('the document of the API of %s', (_name, create) => {
  test('is one that a linter of others has nothing to say about', async () => {
    expect(await lintOpenApi(create())).toEqual([]);
  });

  test('has a page that needs no other server and runs no script', () => {
    const page = renderDocumentPage(create());
    expect(page).not.toMatch(/<script|<link|src=|url\(|@import/);
    expect(page).toContain('<h1>');
    expect(page).toContain(errorCatalogue.temporarilyUnavailable.message);
  });

  test('has a page without a table that is empty, backticks that show, or a sentence twice in a row', () => {
    const page = renderDocumentPage(create()).replace(/<pre tabindex="0">[\s\S]*?<\/pre>/g, '');
    expect(page).not.toContain('<tbody></tbody>');
    expect(page.replace(/<style>[\s\S]*?<\/style>/, '')).not.toContain('`');
    expect(page).not.toMatch(/class="soft">([^<]{10,})<\/span> \1/);
  });
});
