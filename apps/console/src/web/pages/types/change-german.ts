import type { DeclarationChange } from '../../texts/define-texts.ts';
import { kindGerman } from './types-german.ts';

const german: Readonly<Record<string, (before: string, after: string) => string>> = {
  removed: () => 'das Feld ist nicht mehr deklariert',
  addedRequired: () => 'ein neues Feld ist Pflicht',
  added: () => 'ein neues Feld, das fehlen darf',
  nowRequired: () => 'das Feld ist jetzt Pflicht',
  nowOptional: () => 'das Feld darf jetzt fehlen',
  nullRefused: () => 'null wird nicht mehr angenommen',
  nullAccepted: () => 'null wird jetzt angenommen',
  retyped: (before, after) =>
    `der Typ war ${kindGerman.kind(before)} und ist jetzt ${kindGerman.kind(after)}`,
  described: () => 'Titel oder Beschreibung sind geändert',
  deprecation: (_, after) => (after === 'true' ? 'jetzt veraltet' : 'nicht mehr veraltet'),
  personal: (_, after) => (after === 'true' ? 'jetzt personenbezogen' : 'nicht mehr personenbezogen'),
  occurredAt: (_, after) =>
    after === 'true' ? 'jetzt die Zeit des Events' : 'nicht mehr die Zeit des Events',
  patternDropped: () => 'das Muster ist entfallen',
  patternChanged: (_, after) => `das Muster ist jetzt ${after}`,
  formatChanged: (before, after) =>
    after === ''
      ? 'Dezimalzahlen als Text werden nicht mehr angenommen'
      : `das Format war ${format(before)} und ist jetzt ${format(after)}`,
  multipleOfDropped: () => 'muss kein Vielfaches mehr sein',
  multipleOfChanged: (_, after) => `muss jetzt ein Vielfaches von ${after} sein`,
  enumDropped: () => 'jeder Wert wird jetzt angenommen',
  enumAdded: () => 'nur die genannten Werte werden jetzt angenommen',
  enumNarrowed: (before) => `nicht mehr angenommen: ${before}`,
  enumWidened: (_, after) => `jetzt angenommen: ${after}`,
};

const limits: Readonly<Record<string, string>> = {
  minimum: 'der kleinste Wert',
  maximum: 'der größte Wert',
  exclusiveMinimum: 'die untere Grenze',
  exclusiveMaximum: 'die obere Grenze',
  minLength: 'die kürzeste Länge',
  maxLength: 'die größte Länge',
  minItems: 'die kleinste Zahl der Einträge',
  maxItems: 'die größte Zahl der Einträge',
};

/** What changed, in a sentence. Null for a change that this page does not know. */
export function changeGerman({ change, before, after }: DeclarationChange): string | null {
  const [, limit = '', direction] = /^(.+)(Widened|Narrowed)$/.exec(change) ?? [];
  const name = Object.hasOwn(limits, limit) ? limits[limit] : undefined;
  if (name !== undefined) {
    const effect = direction === 'Widened' ? 'weiter' : 'enger';
    return `${name} war ${before ?? ''} und ist jetzt ${after ?? ''}, also ${effect}`;
  }
  const write = Object.hasOwn(german, change) ? german[change] : undefined;
  return write?.(before ?? '', after ?? '') ?? null;
}

function format(name: string): string {
  return name === '' || name === 'null' ? 'keines' : kindGerman.kind(name);
}
