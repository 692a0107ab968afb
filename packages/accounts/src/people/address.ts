import { parameterInvalid } from '@tickrate/contract';

export interface Address {
  readonly address: string;
  /** The form for comparisons. */
  readonly folded: string;
}

const mostCharacters = 254;
const mostBeforeAt = 64;
const mostOfLabel = 63;

// Without "%": old mail servers forward "a%b.example@c.example" to another domain.
const atom = String.raw`[\p{L}\p{M}\p{N}!#$&'*+/=?^_{|}~\x60-]+`;
const label = String.raw`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?`;
const plain = new RegExp(String.raw`^(${atom}(?:\.${atom})*)@(${label}(?:\.${label})+)$`, 'u');

/** Throws 1003 for an invalid address. */
export function readAddress(text: string): Address {
  const address = text.trim().normalize('NFC');
  if (!isPlainAddress(address)) throw parameterInvalid('emailAddress', 'not an e-mail address');
  return { address, folded: address.toLowerCase().normalize('NFC') };
}

/** Whether this is one address with a domain name: without a display name, quotes, comments or an IP address. */
export function isPlainAddress(text: string): boolean {
  if (text.length > mostCharacters) return false;
  const [, local = '', domain = ''] = plain.exec(text) ?? [];
  const labels = domain.split('.');
  return (
    local.length > 0 &&
    local.length <= mostBeforeAt &&
    labels.every(({ length }) => length <= mostOfLabel) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}
