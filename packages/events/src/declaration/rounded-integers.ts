import type { ExactJson } from '@tickrate/contract';
import { type DeclarationFault, faultsAtMost, inside, type Place } from './reading/declaration-faults.ts';

// Bounds are rounded up and cut to the range again. Any other keyword would get a different value.
const widest = [2n ** 63n - 1n, 2n ** 64n - 1n];
const widestBounds = new Set(['minimum', 'maximum']);

/** Finds integers that would be stored as a different value, because a declaration stores numbers as doubles. */
export function roundedIntegers(document: ExactJson): DeclarationFault[] {
  const faults: DeclarationFault[] = [];
  look(document, { pointer: '', depth: 1, faults, patterns: new Map(), lists: new WeakMap() }, '');
  return faults;
}

function look(value: ExactJson, place: Place, keyword: string): void {
  if (typeof value === 'bigint') lookAtInteger(value, place, keyword);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) look(item, inside(place, String(index)), keyword);
  }
  if (!(value instanceof Map)) return;
  for (const [name, member] of value) {
    // Examples do not affect validation.
    if (name !== 'examples' || !Array.isArray(member)) look(member, inside(place, name), name);
  }
}

function lookAtInteger(value: bigint, { pointer, faults }: Place, keyword: string): void {
  const double = Number(value);
  const kept = BigInt(double);
  // Programs with doubles write only the necessary digits: 9223372036854776000 is 2^63.
  const isDouble = kept === value || String(double) === String(value);
  const isKept = isDouble || (widestBounds.has(keyword) && widest.includes(value));
  if (!isKept && faults.length < faultsAtMost)
    faults.push({ pointer, keyword, message: `would be rounded to ${kept}` });
}
