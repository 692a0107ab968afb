import type { AuthenticatorSetup } from '@tickrate/accounts';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';

/** The secret of a new authenticator as text, link and picture. */
export function whatToSetUp({ secret, label }: AuthenticatorSetup, issuer = 'Tickrate') {
  const uri = new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: 30 }).toString();
  return { secret, otpauthUri: uri, qrSvg: renderSVG(uri) };
}
