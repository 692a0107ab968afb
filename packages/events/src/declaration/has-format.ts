import { readDate, readDateTime } from '@tickrate/contract';
import { isEmail, isUri, writeIpv4, writeIpv6, writeUuid } from '../reader/text-formats.ts';
import type { StringFormat } from './shape.ts';

const stored = new Uint8Array(16);

export function hasFormat(format: StringFormat, text: string): boolean {
  const bytes = Buffer.from(text);
  switch (format) {
    case 'date-time':
      return !Number.isNaN(readDateTime(bytes, 0, bytes.length));
    case 'date':
      return !Number.isNaN(readDate(bytes, 0, bytes.length));
    case 'uuid':
      return writeUuid(bytes, 0, bytes.length, stored, 0);
    case 'ipv4':
      return writeIpv4(bytes, 0, bytes.length, stored, 0);
    case 'ipv6':
      return writeIpv6(bytes, 0, bytes.length, stored, 0);
    case 'email':
      return isEmail(text);
    default:
      return isUri(text);
  }
}
