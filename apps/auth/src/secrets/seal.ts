import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Keeps secrets at rest that have to be read again: AES-256-GCM, with the id of the key in front. */
export interface SecretBox {
  seal(text: string): Buffer;
  /** Throws for bytes that no key of this box has sealed. */
  open(bytes: Uint8Array): string;
}

const idBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;

/** The first key seals; all of them open, so that a key can be replaced. */
export function createSecretBox(key: Uint8Array, ...earlier: readonly Uint8Array[]): SecretBox {
  const keys = new Map([...earlier, key].map((each) => [idOf(each), each]));
  const id = idOf(key);
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from(id, 'hex'), nonce, cipher.getAuthTag(), sealed]);
    },
    open(bytes) {
      const buffer = Buffer.from(bytes);
      const found = keys.get(buffer.toString('hex', 0, idBytes));
      if (!found) throw new Error('This was sealed with a key that is not known here');
      const nonce = buffer.subarray(idBytes, idBytes + nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', found, nonce, { authTagLength: tagBytes });
      const bodyAt = idBytes + nonceBytes + tagBytes;
      decipher.setAuthTag(buffer.subarray(idBytes + nonceBytes, bodyAt));
      return decipher.update(buffer.subarray(bodyAt), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

function idOf(key: Uint8Array): string {
  return createHash('sha256')
    .update('key id')
    .update(key)
    .digest('hex')
    .slice(0, idBytes * 2);
}
