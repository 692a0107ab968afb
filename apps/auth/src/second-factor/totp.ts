import type { RandomBytes } from '@tickrate/contract';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';

const periodSeconds = 30;
const secretBytes = 20;
const recoveryCodes = 10;
const writtenBytes = 10;

/** 160 random bits in base32, as authenticators take them. */
export function newTotpSecret(randomBytes: RandomBytes): string {
  return new Secret({ buffer: copyOf(randomBytes(secretBytes)) }).base32;
}

/** The time step whose code this is, the present one or a neighbour; null when it is none of theirs. */
export function totpStep(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: 1 });
  return delta === null ? null : Math.floor(nowMs / 1000 / periodSeconds) + delta;
}

export function otpauthUri(
  secret: string,
  { issuer, label }: { readonly issuer: string; readonly label: string },
): string {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: periodSeconds }).toString();
}

export function qrSvg(uri: string): string {
  return renderSVG(uri);
}

/** Ten codes of 80 random bits, to be written down. */
export function newRecoveryCodes(randomBytes: RandomBytes): string[] {
  return Array.from({ length: recoveryCodes }, () => newWrittenCode(randomBytes));
}

/** 80 random bits, to be read and typed by people. */
export function newWrittenCode(randomBytes: RandomBytes): string {
  const text = new Secret({ buffer: copyOf(randomBytes(writtenBytes)) }).base32.toLowerCase();
  return (text.match(/.{4}/g) ?? []).join('-');
}

/** As people type codes: with spaces and hyphens, in any case. */
export function normaliseCode(text: string): string {
  return text.replaceAll(/[\s-]/g, '').toLowerCase();
}

function totpOf(secret: string): TOTP {
  return new TOTP({ secret: Secret.fromBase32(secret), period: periodSeconds });
}

function copyOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
