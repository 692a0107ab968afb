import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apiKeyPrefix, createApiKeyText, hashApiKey, type KeyKind, parseApiKeyText } from './api-key.ts';

const kinds: KeyKind[] = ['public', 'session', 'administrative'];

describe('an API key', () => {
  test('is one word that shows its kind', () => {
    for (const kind of kinds) {
      const text = createApiKeyText(kind, randomBytes);
      expect(text).toMatch(/^tk_(pub|ses|adm)_[0-9A-Za-z]{36}$/);
      expect(parseApiKeyText(text)).toBe(kind);
    }
  });

  test('that succeeds another one shares its visible part, and nothing else', () => {
    const first = createApiKeyText('public', randomBytes);
    const next = createApiKeyText('public', randomBytes, apiKeyPrefix(first));
    expect(parseApiKeyText(next)).toBe('public');
    expect(apiKeyPrefix(next)).toBe(apiKeyPrefix(first));
    expect(next.slice(12)).not.toBe(first.slice(12));
    expect(hashApiKey(next)).not.toEqual(hashApiKey(first));
  });

  test('with one character changed is refused by its checksum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 7, max: 42 }), fc.constantFrom(...'0Aaz9'), (at, character) => {
        const text = createApiKeyText('public', randomBytes);
        const typo = text.slice(0, at) + character + text.slice(at + 1);
        expect(parseApiKeyText(typo)).toBe(typo === text ? 'public' : null);
      }),
    );
  });

  test('is null for any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => parseApiKeyText(text) === null));
  });

  test('is stored as its SHA-256', () => {
    expect(hashApiKey('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
