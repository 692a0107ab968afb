import { SystemError } from '@tickrate/contract';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createPasswordHasher,
  hashesAtOnce,
  type PasswordHasher,
  type PasswordHasherOptions,
  weakestAllowed,
} from './password-hasher.ts';
import { derivePassword } from './password-weakness.ts';

const pepper = Buffer.alloc(32, 7);
const options = { pepper, ...weakestAllowed, atOnce: 2, queueLimit: 100 };
const derived = derivePassword('abandoned-quarry-9');

const opened: PasswordHasher[] = [];
afterEach(() => Promise.all(opened.splice(0).map((hasher) => hasher.close())));

function openHasher(given: PasswordHasherOptions): PasswordHasher {
  const hasher = createPasswordHasher(given);
  opened.push(hasher);
  return hasher;
}

describe('the password hasher', () => {
  it('verifies what it hashed, and nothing else', async () => {
    const hasher = openHasher(options);
    const stored = await hasher.hash(derived);
    expect(stored).toMatch(/^[0-9a-f]{8}\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify(stored, derived)).toEqual({ ok: true, rehash: null });
    expect(await hasher.verify(stored, derivePassword('Abandoned-quarry-9'))).toEqual({
      ok: false,
      rehash: null,
    });
    expect(await hasher.hash(derived)).not.toBe(stored);
  });

  it('reports a stored hash that was made with fewer passes, and returns a stronger one', async () => {
    const stored = await openHasher(options).hash(derived);
    const stronger = openHasher({ ...options, passes: 3 });
    const { ok, rehash } = await stronger.verify(stored, derived);
    expect(ok).toBe(true);
    expect(rehash).toContain('t=3');
    expect(await stronger.verify(rehash, derived)).toEqual({ ok: true, rehash: null });
    expect((await stronger.verify(stored, derivePassword('wrong'))).rehash).toBe(null);
  });

  it('is of no use without the pepper that a password was hashed with', async () => {
    const stored = await openHasher(options).hash(derived);
    const without = openHasher({ ...options, pepper: Buffer.alloc(32, 8) });
    await expect(without.verify(stored, derived)).rejects.toThrow('pepper');
  });

  it('is never right about an unknown account', async () => {
    expect(await openHasher(options).verify(null, derived)).toEqual({ ok: false, rehash: null });
  });

  it('refuses a password at once if the queue is full, and hashes the others', async () => {
    const hasher = openHasher({ ...options, atOnce: 1, queueLimit: 3 });
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => hasher.verify(null, derived)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(4);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(SystemError);
    expect(await hasher.verify(null, derived)).toEqual({ ok: false, rehash: null });
  });

  it('leaves the event loop free while many passwords are hashed', async () => {
    const hasher = openHasher(options);
    let immediates = 0;
    let hashing = true;
    const count = () => {
      immediates += 1;
      if (hashing) setImmediate(count);
    };
    count();
    await Promise.all(Array.from({ length: 10 }, () => hasher.hash(derived)));
    hashing = false;
    expect(immediates).toBeGreaterThan(100);
  });

  it('is not made weaker than it may be', () => {
    expect(() => openHasher({ ...options, memoryKiB: 1024 })).toThrow(RangeError);
    expect(() => openHasher({ ...options, passes: 1 })).toThrow(RangeError);
    expect(() => openHasher({ ...options, pepper: Buffer.alloc(4) })).toThrow(RangeError);
  });

  it('rejects the running and the waiting passwords when it is closed', async () => {
    const hasher = openHasher({ ...options, atOnce: 1 });
    const settled = Promise.allSettled(Array.from({ length: 4 }, () => hasher.hash(derived)));
    await hasher.close();
    expect((await settled).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    await expect(hasher.hash(derived)).rejects.toThrow('no thread');
  });

  it('leaves a core to others', () => {
    expect(hashesAtOnce(1, 4)).toBe(1);
    expect(hashesAtOnce(2, 4)).toBe(1);
    expect(hashesAtOnce(4, 4)).toBe(3);
    expect(hashesAtOnce(16, 4)).toBe(4);
    expect(hashesAtOnce(8, 16)).toBe(7);
  });
});
