import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Keeps secrets at rest that have to be read again: AES-256-GCM, with the id of the key in front. What was sealed for one
 * place opens only for that place, so a writer of the store cannot move a secret to a place where they see its use.
 */
export interface SecretBox {
  seal(text: string, place?: string): Buffer;
  /** Throws for bytes that no key of this box has sealed for this place. */
  open(bytes: Uint8Array, place?: string): string;
  /** Whether it was the key that seals now, and not an earlier one. */
  isCurrent(bytes: Uint8Array): boolean;
}

const idBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;

/** The first key seals; all of them open, so that a key can be replaced. */
export function createSecretBox(key: Uint8Array, ...earlier: readonly Uint8Array[]): SecretBox {
  const keys = new Map([...earlier, key].map((each) => [idOf(each), each]));
  const id = idOf(key);
  return {
    seal(text, place = '') {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from(id, 'hex'), nonce, cipher.getAuthTag(), sealed]);
    },
    open(bytes, place = '') {
      const buffer = Buffer.from(bytes);
      const found = keys.get(sealedWith(buffer));
      if (!found) throw new Error('This was sealed with a key that is not known here');
      const nonce = buffer.subarray(idBytes, idBytes + nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', found, nonce, { authTagLength: tagBytes });
      const bodyAt = idBytes + nonceBytes + tagBytes;
      decipher.setAAD(Buffer.from(place)).setAuthTag(buffer.subarray(idBytes + nonceBytes, bodyAt));
      return decipher.update(buffer.subarray(bodyAt), undefined, 'utf8') + decipher.final('utf8');
    },
    isCurrent: (bytes) => sealedWith(Buffer.from(bytes)) === id,
  };
}

/** Of the setting `SECRETS_KEY`: texts divided by commas, of which the first seals and the others are earlier ones. */
export function createSecretBoxOf(setting: string): SecretBox {
  const [key = Buffer.alloc(0), ...earlier] = setting
    .split(',')
    .map((text) => Buffer.from(hkdfSync('sha256', text.trim(), '', 'tickrate secrets', 32)));
  return createSecretBox(key, ...earlier);
}

function sealedWith(bytes: Buffer): string {
  return bytes.toString('hex', 0, idBytes);
}

function idOf(key: Uint8Array): string {
  return createHash('sha256')
    .update('key id')
    .update(key)
    .digest('hex')
    .slice(0, idBytes * 2);
}
