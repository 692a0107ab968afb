import { domainToASCII } from 'node:url';
import { parameterInvalid } from '@tickrate/contract';

export interface Address {
  readonly address: string;
  /** The form for comparisons: the same for every spelling of a domain. */
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
  if (!isPlainAddress(address) || domainToASCII(domainOf(address)) === '') {
    throw parameterInvalid('emailAddress', 'not an e-mail address');
  }
  return { address, folded: foldAddress(address) };
}

/** The same text for every spelling of an address: a domain in the form that name servers know. */
export function foldAddress(address: string): string {
  const folded = address.trim().normalize('NFC').toLowerCase().normalize('NFC');
  const domain = domainOf(folded);
  return folded.slice(0, folded.length - domain.length) + (domainToASCII(domain) || domain);
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
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
