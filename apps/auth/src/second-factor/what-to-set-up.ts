import { otpauthUri, qrSvg } from './totp.ts';

const issuer = 'Tickrate';

/** A new authenticator's secret, as text, as a link and as a picture; `label` tells it from the user's others. */
export function whatToSetUp(secret: string, label: string) {
  const uri = otpauthUri(secret, { issuer, label });
  return { secret, otpauthUri: uri, qrSvg: qrSvg(uri) };
}
