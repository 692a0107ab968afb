import { normaliseCode } from '../second-factor/totp.ts';
import type { Ground } from './sign-in.ts';

/** What the store knows of the code that is mailed to whoever is to set up a second factor, however it is typed. */
export function hashEnrolmentCode({ keyring }: Ground, accountId: string, code: string): Buffer {
  return keyring.mac('enrolment mail', accountId, normaliseCode(code));
}
