import { expect, test } from 'vitest';
import { isOfOwnPage } from './session-cookie.ts';

const page = { 'sec-fetch-site': 'same-origin', 'x-tickrate-console': '1', host: 'console.example' };

// Invariant (Management): The cookie of the console opens for its own pages and at its own address only,
// and no answer to a page contains a key
test.each([
  {},
  { origin: 'https://console.example' },
  { origin: 'https://CONSOLE.example', host: 'Console.Example' },
  { origin: 'http://127.0.0.1:4902', host: '127.0.0.1:4902' },
  { origin: 'https://console.example', host: '10.0.0.7:8082', 'x-forwarded-host': 'console.example' },
  { origin: 'https://console.example', host: 'inner', 'x-forwarded-host': 'edge.example, console.example' },
])('a page of the same origin is our own: %j', (headers) => {
  expect(isOfOwnPage({ headers: { ...page, ...headers } })).toBe(true);
});

test.each([
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: '' },
  { origin: 'console.example' },
  { origin: 'https://console.example:8443' },
  { origin: 'https://console.example.evil.example' },
  { origin: 'https://console.example', host: 'evil.example' },
  { origin: 'https://console.example', host: undefined },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': undefined },
  { 'x-tickrate-console': undefined },
])('any other page is not: %j', (headers) => {
  expect(isOfOwnPage({ headers: { ...page, ...headers } })).toBe(false);
});
