import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apiKeyOf } from './api-key-source.ts';

const token = fc.stringMatching(/^[A-Za-z0-9_]{1,60}$/);

test('a key is read from each place where clients put it', () => {
  fc.assert(
    fc.property(token, (key) => {
      expect(apiKeyOf({ headers: { 'x-api-key': key } })).toBe(key);
      expect(apiKeyOf({ headers: { authorization: `Bearer ${key}` } })).toBe(key);
      expect(apiKeyOf({ headers: { authorization: `bearer  ${key} ` } })).toBe(key);
      expect(apiKeyOf({ headers: { api_key: key } })).toBe(key);
      const url = `/v1/event/insert?eventType=a&apiKey=${encodeURIComponent(key)}`;
      expect(apiKeyOf({ method: 'POST', url, headers: {} }, { allowQuery: true })).toBe(key);
    }),
  );
});

test('X-API-Key wins over Authorization, that over api_key, and that over the address', () => {
  const url = '/?apiKey=d';
  const headers = { 'x-api-key': 'a', authorization: 'Bearer b', api_key: 'c' };
  expect(apiKeyOf({ headers })).toBe('a');
  expect(apiKeyOf({ headers: { ...headers, 'x-api-key': ' ' } })).toBe('b');
  expect(apiKeyOf({ method: 'POST', url, headers: { api_key: 'c' } }, { allowQuery: true })).toBe('c');
});

test('the key in the address is read of a POST and only where that is allowed', () => {
  const url = '/v1/event/insert?apiKey=a';
  expect(apiKeyOf({ method: 'POST', url, headers: {} })).toBeNull();
  expect(apiKeyOf({ method: 'PUT', url, headers: {} }, { allowQuery: true })).toBeNull();
  expect(apiKeyOf({ method: 'POST', url: '/v1/event/insert', headers: {} }, { allowQuery: true })).toBeNull();
  expect(apiKeyOf({ method: 'POST', url: '/?apiKey=', headers: {} }, { allowQuery: true })).toBeNull();
});

test('other schemes of Authorization carry no key', () => {
  for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'Bearer a b', 'BearerX']) {
    expect(apiKeyOf({ headers: { authorization } })).toBeNull();
  }
});

test('the answer is a key or null for any request', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (url, authorization, header) => {
      const key = apiKeyOf(
        { method: 'POST', url, headers: { authorization, api_key: header } },
        { allowQuery: true },
      );
      expect(key === null || key.length > 0).toBe(true);
    }),
  );
});
