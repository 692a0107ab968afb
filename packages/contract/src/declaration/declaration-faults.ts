/** One reason why a document is outside the profile, at the JSON pointer of the offending keyword. */
export interface DeclarationFault {
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

/** Where the reader stands in the document, and the faults found so far. */
export interface Place {
  readonly pointer: string;
  readonly depth: number;
  readonly faults: DeclarationFault[];
}

export function inside(place: Place, ...names: string[]): Place {
  const pointer = names.reduce((path, name) => `${path}/${escapePointer(name)}`, place.pointer);
  return { ...place, pointer };
}

export function fault(place: Place, keyword: string, message: string): void {
  const pointer = keyword === '' ? place.pointer : `${place.pointer}/${escapePointer(keyword)}`;
  place.faults.push({ pointer, keyword, message });
}

export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
