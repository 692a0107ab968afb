import { errorCatalogue, renderDocumentPage } from '@tickrate/contract';
import { lintDescriptions, lintOpenApi, lintPage } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { createEventDocument } from './event-operations.ts';

describe('the document of the event API', () => {
  const document = createEventDocument();

  test('passes an independent linter', async () => {
    expect(await lintOpenApi(document)).toEqual([]);
  });

  test('describes every answer correctly for a generated client', () => {
    expect(lintDescriptions(document)).toEqual([]);
  });

  test('has a page without faults, with every error sentence', () => {
    const page = renderDocumentPage(document);
    expect(lintPage(page)).toEqual([]);
    expect(page).toContain(errorCatalogue.temporarilyUnavailable.message);
  });
});
