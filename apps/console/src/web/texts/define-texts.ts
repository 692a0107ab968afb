export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

type Phrase = string | ((...values: never[]) => string);

/** The texts of a page or a part of one: English, and the name of their translations. */
export interface Texts<T> {
  readonly name: string;
  readonly english: T;
}

/** The same texts in any language: another language has exactly their keys, or it does not compile. */
export type Words<S> = S extends Texts<infer T> ? T : never;

type AnyWords<T> = { readonly [K in keyof T]: T[K] extends string ? string : T[K] };

/** The words of a page in English. `german.ts` lists the German ones by the same name. */
export function defineTexts<const T extends Readonly<Record<string, Phrase>>>(
  name: string,
  english: T,
): Texts<AnyWords<T>> {
  // A literal text is a text; the compiler cannot see that of a mapped type.
  return { name, english: english as unknown as AnyWords<T> };
}

/** What `german.ts` exports. */
interface German {
  readonly translations: Readonly<Record<string, unknown>>;
  readonly stepsGerman: Readonly<Record<string, readonly string[]>>;
  /** The translation of a sentence of a server; null for one that is not known. */
  readonly faultGerman: (message: string) => string | null;
  readonly problemGerman: (reason: string) => string | null;
  readonly commentGerman: (comment: string) => string | null;
  readonly changeGerman: (change: DeclarationChange) => string | null;
}

/** One difference of two declarations, as the server states it. */
export interface DeclarationChange {
  readonly change: string;
  readonly before: string | null;
  readonly after: string | null;
}

let german: German | null = null;

/** Called once German is loaded. Without it the pages are English. */
export function setGerman(loaded: German): void {
  german = loaded;
}

/** German for a reader of German, and null for any other. */
export function germanFor(language: Language): German | null {
  return language === 'de' ? german : null;
}

export function textsIn<T>(texts: Texts<T>, language: Language): T {
  // Each is checked against its English words where it is written.
  const translated = germanFor(language)?.translations[texts.name] as T | undefined;
  return translated ?? texts.english;
}

/** `1 event`, `2 events`: the count as it is written, and the words after it for one and for any other count. */
export function counted(count: string, one: string, others: string): string {
  return `${count} ${count === '1' ? one : others}`;
}
