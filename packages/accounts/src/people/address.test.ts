import { expect, test } from 'vitest';
import { readAddress } from './address.ts';

test.each([
  'ada@example.com',
  "o'neil+games@mail.example.co.uk",
  'first.last_2@a-b.example',
  'jürgen@bücher.example',
  '玩家@例子.中国',
  'a@xn--bcher-kva.example',
])('%s is an address', (address) => {
  expect(readAddress(` ${address} `).address).toBe(address);
});

test.each([
  '<q@b.de>',
  'Ada <q@b.de>',
  '"q"@b.de',
  '"a b"@b.de',
  'a(note)@b.de',
  'a,b@b.de',
  'a;b@b.de',
  'a:b@b.de',
  'a\\b@b.de',
  'a@b..de',
  'a@.b.de',
  'a@b.de.',
  '.a@b.de',
  'a.@b.de',
  'a..b@b.de',
  'a%0d%0abcc@b.de',
  'a%c.de@b.de',
  'a@[127.0.0.1]',
  'a@127.0.0.1',
  'a@b',
  'a@localhost',
  'a@-b.de',
  'a@b-.de',
  'a@b_c.de',
  'a@b.de\nbcc',
  'a\u200Bb@b.de',
  'a@b@c.de',
  'nobody',
  '@b.de',
  'a@',
  `${'a'.repeat(65)}@b.de`,
  `a@${'b'.repeat(64)}.de`,
  `a@${'b.'.repeat(126)}de`,
])('%j is not an address', (address) => {
  expect(() => readAddress(address)).toThrow(expect.objectContaining({ code: 1003 }));
});

test.each([
  ['a@EXAMPLE.com', 'a@example.com'],
  ['a@ｅｘａｍｐｌｅ.com', 'a@example.com'],
  ['a@bücher.example', 'a@xn--bcher-kva.example'],
  ['a@BÜCHER.example', 'a@XN--BCHER-KVA.example'],
])('%s and %s are one mailbox', (one, other) => {
  expect(readAddress(one).folded).toBe(readAddress(other).folded);
});

test('a domain that no name server can know is refused', () => {
  expect(() => readAddress('a@xn--iñvalid.example')).toThrow(expect.objectContaining({ code: 1003 }));
});
