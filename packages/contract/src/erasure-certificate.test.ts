import { expect, test } from 'vitest';
import { hashAccount, isCertificateIntact, sealCertificate } from './erasure-certificate.ts';

const none = { account: {}, events: {}, quarantine: {}, deadLetters: {}, unreadableDeadLetters: 0 };
const certificate = sealCertificate({
  format: 'tickrate-erasure-1',
  id: '01890000-0000-7000-8000-000000000000',
  projectId: 'p-abcdefghijkl',
  accountHash: hashAccount('u-abcdefghijklmnopqrst'),
  mode: 'remove',
  requestedBy: 'the account',
  requested: '2026-01-01T00:00:00.000Z',
  receivedUntil: '2026-01-01T00:01:30.000Z',
  completed: '2026-01-01T00:03:00.000Z',
  removed: { ...none, events: { purchase: 2, match: 40 } },
  remaining: none,
});

test('a certificate verifies with its members in any order', () => {
  expect(isCertificateIntact(certificate)).toBe(true);
  const turned = Object.fromEntries(Object.entries(certificate).reverse()) as unknown as typeof certificate;
  expect(isCertificateIntact(JSON.parse(JSON.stringify(turned)))).toBe(true);
});

test('a changed certificate does not verify', () => {
  for (const name of Object.keys(certificate) as (keyof typeof certificate)[]) {
    const changed =
      typeof certificate[name] === 'string' ? `${certificate[name]}0` : { ...none, events: { a: 1 } };
    expect(isCertificateIntact({ ...certificate, [name]: changed }), name).toBe(false);
  }
  expect(isCertificateIntact({ ...certificate, extra: 1 } as typeof certificate)).toBe(false);
});

test('a certificate does not contain the account id', () => {
  expect(JSON.stringify(certificate)).not.toContain('u-abcdefghijklmnopqrst');
  expect(certificate.accountHash).toMatch(/^[0-9a-f]{64}$/);
});
