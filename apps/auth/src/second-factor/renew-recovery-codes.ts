import { type InRealm, replaceRecoveryCodes } from '@tickrate/accounts';
import type { Ground } from '../sign-in/sign-in.ts';
import { newRecoveryCodes, normaliseCode } from './totp.ts';

/** Replaces all codes of the account. Only the caller sees their texts. */
export async function renewRecoveryCodes(
  { randomBytes, keyring }: Ground,
  people: InRealm,
  accountId: string,
): Promise<string[]> {
  const codes = newRecoveryCodes(randomBytes);
  const hashes = codes.map((code) => keyring.mac('recovery', accountId, normaliseCode(code)));
  await replaceRecoveryCodes(people, accountId, hashes);
  return codes;
}
