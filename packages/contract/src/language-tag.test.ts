import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLanguageTag } from './language-tag.ts';

test.each([
  ['de', 'de'],
  ['EN-us', 'en-US'],
  ['pt-br', 'pt-BR'],
  ['ZH-hant-tw', 'zh-Hant-TW'],
  ['es-419', 'es-419'],
  ['sl-rozaj-biske-1994', 'sl-1994-biske-rozaj'],
  ['de-u-co-phonebk', 'de-u-co-phonebk'],
  // Their replacements.
  ['iw', 'he'],
  ['cmn', 'zh'],
  ['en-a-myext-x-kart', 'en-a-myext-x-kart'],
])('%s is read as %s', (text, tag) => {
  expect(readLanguageTag(text)).toBe(tag);
});

test.each([
  '',
  ' en',
  'en_US',
  'english!',
  'e',
  'en-',
  'en--us',
  'de-DE-DE',
  '<script>',
  'en\r\nBcc: all@example.com',
  'x-kart',
  'i-klingon',
  'ｅｎ',
  `en-x-${'a'.repeat(8)}-${'b'.repeat(8)}-${'c'.repeat(8)}-${'d'.repeat(8)}`,
  // Exceeds the limit in its canonical form.
  'en-us-u-attr-ca-gregory-va-posix-kn-x-a',
])('%j is no tag', (text) => {
  expect(readLanguageTag(text)).toBeNull();
});

test('reading a canonical tag returns the same tag', () => {
  const parts = fc.array(
    fc.constantFrom('en', 'DE', 'Latn', 'us', '419', 'rozaj', 'u', 'ca', 'x', 'gregory'),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        parts.map((each) => each.join('-')),
      ),
      (text) => {
        const tag = readLanguageTag(text);
        if (tag === null) return;
        expect(readLanguageTag(tag)).toBe(tag);
        expect(tag).toMatch(/^[A-Za-z0-9-]{2,35}$/);
      },
    ),
  );
});
