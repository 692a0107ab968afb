import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretBox, createSecretBoxOf } from './secret-box.ts';

const key = Buffer.alloc(32, 1);
const earlier = Buffer.alloc(32, 2);
const box = createSecretBox(key);

describe('the secret box', () => {
  it('opens what it sealed, which differs each time and reveals nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 4 }), (text) => {
        const sealed = box.seal(text);
        expect(box.open(sealed)).toBe(text);
        expect(sealed.equals(box.seal(text))).toBe(false);
        expect(sealed.includes(Buffer.from(text))).toBe(false);
      }),
    );
  });

  it('opens nothing that was changed, cut or invented', () => {
    const sealed = box.seal('a secret');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => box.open(changed)).toThrow();
      expect(() => box.open(sealed.subarray(0, at))).toThrow();
    }
    expect(() => box.open(randomBytes(64))).toThrow();
    expect(() => box.open(box.seal('').subarray(0, -1))).toThrow();
  });

  it('opens secrets of an earlier key while that is configured, and seals with the new one', () => {
    const old = createSecretBox(earlier).seal('a secret');
    const rotated = createSecretBox(key, earlier);
    expect(rotated.open(old)).toBe('a secret');
    expect(box.open(rotated.seal('another'))).toBe('another');
    expect(() => box.open(old)).toThrow('not known');
  });

  it('opens nothing at another place than it was sealed for', () => {
    const sealed = box.seal('a secret', 'p-one steam');
    expect(box.open(sealed, 'p-one steam')).toBe('a secret');
    for (const place of ['p-two steam', 'p-one itchIo', '', undefined])
      expect(() => box.open(sealed, place)).toThrow();
  });

  it('reports which secrets to seal again after the first key has changed', () => {
    const before = createSecretBoxOf('the first secret of an operator!');
    const sealed = before.seal('a secret');
    expect(before.isCurrent(sealed)).toBe(true);
    const after = createSecretBoxOf('another secret of the operator!!, the first secret of an operator!');
    expect([after.open(sealed), after.isCurrent(sealed)]).toEqual(['a secret', false]);
    expect(after.isCurrent(after.seal('a secret'))).toBe(true);
  });

  it('accepts only keys of 32 bytes', () => {
    expect(() => createSecretBox(Buffer.alloc(16)).seal('a secret')).toThrow();
  });
});
