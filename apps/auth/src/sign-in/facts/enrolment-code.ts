import { normaliseCode } from '../../second-factor/totp.ts';
import type { Ground } from '../sign-in.ts';

/** The stored form of the code that is mailed for the setup of a second factor, for any spelling of it. */
export function hashEnrolmentCode({ keyring }: Ground, accountId: string, code: string): Buffer {
  return keyring.mac('enrolment mail', accountId, normaliseCode(code));
}
