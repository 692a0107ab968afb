import { parameterInvalid } from '@tickrate/contract';

export interface Address {
  readonly address: string;
  /** The form for comparisons. */
  readonly folded: string;
}

const mostCharacters = 254;

/** Throws 1003 for an invalid address. */
export function readAddress(text: string): Address {
  const address = text.trim().normalize('NFC');
  if (address.length > mostCharacters || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(address)) {
    throw parameterInvalid('emailAddress', 'not an e-mail address');
  }
  return { address, folded: address.toLowerCase().normalize('NFC') };
}
