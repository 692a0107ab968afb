import { expect, test } from 'vitest';
import { createIsPublicAddress, outboundRefusal } from './public-address.ts';

const isPublic = createIsPublicAddress();
const refusalOf = (address: string, development = false) =>
  outboundRefusal(new URL(address), { development, isPublic });

test.each([
  'https://localhost',
  'https://id.localhost.',
  'https://localtest.me',
  'https://id.LOCALTEST.me',
  'https://lvh.me',
  'https://10.0.0.7.nip.io',
  'https://127-0-0-1.sslip.io',
  'https://metadata.google.internal',
  'https://metadata',
  'https://postgres:5432',
  'https://auth.internal',
  'https://printer.local',
  'https://router.lan',
  'https://nas.home.arpa',
  'https://127.0.0.1',
  'https://169.254.169.254',
  'https://[::1]',
  'https://[fd00:ec2::254]',
  'https://0x7f000001',
  'https://2130706433',
])('%s is private, and only allowed in development', (address) => {
  expect(refusalOf(address)).toBe('its address is private');
  expect(refusalOf(address, true)).toBeNull();
});

test.each([
  'https://id.example.com',
  'https://internal.example.com',
  'https://local.example',
  'https://mylocaltest.me',
  'https://nip.io.example.com',
  'https://8.8.8.8',
])('%s can be public: its address is checked when it is called', (address) => {
  expect(refusalOf(address)).toBeNull();
});
