export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** A sentence, or a function that puts values into one. */
type Phrase = string | ((...values: never[]) => string);

/** The texts of a page or a part of one, in each language. */
export interface Texts<T> {
  readonly en: T;
  readonly de: T;
}

type Translated<T> = { readonly [K in keyof T]: T[K] extends string ? string : T[K] };

/** English first: the other languages must have exactly its keys, or the module does not compile. */
export function defineTexts<const T extends Readonly<Record<string, Phrase>>>(
  en: T,
  de: Translated<T>,
): Texts<Translated<T>> {
  // A literal text is a text; the compiler cannot see that of a mapped type.
  return { en: en as unknown as Translated<T>, de };
}
