import type { RandomBytes } from '@tickrate/contract';
import { Secret, TOTP } from 'otpauth';

const periodSeconds = 30;
const secretBytes = 20;
const recoveryCodes = 10;
const writtenBytes = 10;

/** 160 random bits in base32, as authenticators expect them. */
export function newTotpSecret(randomBytes: RandomBytes): string {
  return new Secret({ buffer: copyOf(randomBytes(secretBytes)) }).base32;
}

/** The time step of this code, the current one or a neighbour; null for any other code. */
export function totpStep(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: 1 });
  return delta === null ? null : Math.floor(nowMs / 1000 / periodSeconds) + delta;
}

/** Ten codes of 80 random bits, for the user to write down. */
export function newRecoveryCodes(randomBytes: RandomBytes): string[] {
  return Array.from({ length: recoveryCodes }, () => newWrittenCode(randomBytes));
}

/** 80 random bits, for people to read and type. */
export function newWrittenCode(randomBytes: RandomBytes): string {
  const text = new Secret({ buffer: copyOf(randomBytes(writtenBytes)) }).base32.toLowerCase();
  return (text.match(/.{4}/g) ?? []).join('-');
}

/** Users type codes with spaces and hyphens, in upper or lower case. */
export function normaliseCode(text: string): string {
  return text.replaceAll(/[\s-]/g, '').toLowerCase();
}

function totpOf(secret: string): TOTP {
  return new TOTP({ secret: Secret.fromBase32(secret), period: periodSeconds });
}

function copyOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
