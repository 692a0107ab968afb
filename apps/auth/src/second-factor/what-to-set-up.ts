import { otpauthUri, qrSvg } from './totp.ts';

const issuer = 'Tickrate';

/** The secret of a new authenticator as text, link and picture; `label` distinguishes it from the user's other ones. */
export function whatToSetUp(secret: string, label: string) {
  const uri = otpauthUri(secret, { issuer, label });
  return { secret, otpauthUri: uri, qrSvg: qrSvg(uri) };
}
