import { expect, test } from 'vitest';
import { createAddressVoucher, vouchedAddressHeader } from './vouched-address.ts';

const secret = 'a key of tests that is longer than 32 characters';
const read = (setting: string, value: string | undefined, nowMs = 0) =>
  createAddressVoucher(setting, () => nowMs).read({ headers: { [vouchedAddressHeader]: value } });

test('an address is proven to a process with the same secret, also under an earlier one', () => {
  for (const address of ['203.0.113.7', '2001:db8::7']) {
    const value = createAddressVoucher(secret, () => 0).write(address);
    expect(read(secret, value)).toBe(address);
    expect(read(`another secret that is longer than 32 characters, ${secret}`, value)).toBe(address);
  }
});

test('a claim without the secret, for another address, or from another time is not believed', () => {
  const value = createAddressVoucher(secret, () => 0).write('203.0.113.7');
  expect(read('another secret that is longer than 32 characters', value)).toBeNull();
  expect(read(secret, value.replace('203.0.113.7', '203.0.113.8'))).toBeNull();
  expect(read(secret, value, 60_001)).toBeNull();
  expect(read(secret, value.replace(' 0 ', ' 50000 '), 60_001)).toBeNull();
  for (const text of [undefined, '', '203.0.113.7', 'x 0 y', `${value}x`])
    expect(read(secret, text)).toBeNull();
  expect(read(secret, createAddressVoucher(secret, () => 0).write('not an address'))).toBeNull();
});
