import { reorderingFault } from '@tickrate/contract';
import type { Pattern } from '../shape.ts';

/** One reason why a document does not match the profile, with a JSON pointer to the keyword. */
export interface DeclarationFault {
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

export interface DeclaredPattern {
  /** JSON pointer of the keyword at its first use. */
  readonly pointer: string;
  readonly pattern: Pattern;
}

/** The current position in the document, and the faults found so far. */
export interface Place {
  readonly pointer: string;
  readonly depth: number;
  readonly faults: DeclarationFault[];
  /** The faults found so far, by their text. */
  readonly patterns: Map<string, DeclaredPattern>;
  /** Values of the lists read so far, by the list: members that share one share its values. */
  readonly lists: WeakMap<readonly unknown[], Map<string, readonly unknown[]>>;
}

export function inside(place: Place, ...names: string[]): Place {
  const pointer = names.reduce((path, name) => `${path}/${escapePointer(name)}`, place.pointer);
  return { ...place, pointer };
}

/** More faults do not help the author. The limit also bounds the cost of a document that repeats a fault. */
export const faultsAtMost = 100;

export function fault(place: Place, keyword: string, message: string): void {
  if (place.faults.length >= faultsAtMost) return;
  const pointer = keyword === '' ? place.pointer : `${place.pointer}/${escapePointer(keyword)}`;
  place.faults.push({ pointer, keyword, message });
}

export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Of the whole document, examples included. */
const nestingAtMost = 64;

/** The first fault of a document as a whole; null if there is none. */
export function documentFault(document: object, bytesAtMost: number): string | null {
  if (isNestedDeeper(document, nestingAtMost))
    return `a declaration is nested at most ${nestingAtMost} deep, including its examples`;
  const text = JSON.stringify(document);
  const reordering = reorderingFault(text);
  if (reordering !== null) return `a text of the declaration ${reordering}`;
  return Buffer.byteLength(text) > bytesAtMost ? `a declaration is at most ${bytesAtMost} bytes long` : null;
}

function isNestedDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((member) => isNestedDeeper(member, most - 1));
}
