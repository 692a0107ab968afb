import Type from 'typebox';

export const languageTagFormat = 'language-tag';
const mostCharacters = 35;

/** A BCP 47 tag. Code that reads a member of this schema stores the result of readLanguageTag(). */
export const languageTagSchema = Type.String({
  minLength: 2,
  maxLength: mostCharacters,
  format: languageTagFormat,
  description: 'A language tag of BCP 47, such as `de` or `pt-BR`; kept in its canonical form',
});

/** Returns the tag in its canonical form, or null if it is invalid or too long in that form. */
export function readLanguageTag(text: string): string | null {
  if (text.length > mostCharacters) return null;
  try {
    const [tag = ''] = Intl.getCanonicalLocales(text);
    return tag !== '' && tag.length <= mostCharacters ? tag : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
