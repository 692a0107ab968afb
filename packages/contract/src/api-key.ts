import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RandomBytes } from './ids/record-ids.ts';

export type KeyKind = 'public' | 'session' | 'administrative';

const prefixes: Readonly<Record<KeyKind, string>> = {
  public: 'tk_pub_',
  session: 'tk_ses_',
  administrative: 'tk_adm_',
};
const kinds = Object.keys(prefixes) as KeyKind[];
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefixLength = 7;
const secretLength = 30;
const checksumLength = 6;
const keyShape = /^tk_(?:pub|ses|adm)_[0-9A-Za-z]{36}$/;

/**
 * A new key: its kind, 30 characters of secret, and a checksum that refuses a typo without a look-up. `begin` is the visible
 * part of the key that it succeeds.
 */
export function createApiKeyText(kind: KeyKind, randomBytes: RandomBytes, begin = prefixes[kind]): string {
  const body = begin + randomBase62(prefixLength + secretLength - begin.length, randomBytes);
  return body + checksum(body);
}

/** Returns the kind of a well-formed key with a correct checksum, and null for any other text. */
export function parseApiKeyText(text: string): KeyKind | null {
  if (!keyShape.test(text)) return null;
  const body = text.slice(0, prefixLength + secretLength);
  if (checksum(body) !== text.slice(prefixLength + secretLength)) return null;
  return kinds.find((kind) => text.startsWith(prefixes[kind])) ?? null;
}

/** The stored form of a key. Keys have more than 148 random bits, so a fast hash is enough. */
export function hashApiKey(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** The part of a key that lists and logs can show. A key and its successor can share it. */
export function apiKeyPrefix(text: string): string {
  return text.slice(0, 12);
}

/** Part of the checksum: it tells two keys apart in a list, and reveals 24 of the secret's 148 bits at most. */
export function apiKeyEnding(text: string): string {
  return text.slice(-4);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < checksumLength; i++) {
    text = alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function randomBase62(length: number, randomBytes: RandomBytes): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 = 4 × 62: bytes above it would favor the first characters.
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
    }
  }
  return text;
}
