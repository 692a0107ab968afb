import Type from 'typebox';

export const languageTagFormat = 'language-tag';
const mostCharacters = 35;

/** Of BCP 47. Whoever reads a member of this schema keeps what readLanguageTag() makes of it. */
export const languageTagSchema = Type.String({
  minLength: 2,
  maxLength: mostCharacters,
  format: languageTagFormat,
  description: 'A language tag of BCP 47, such as `de` or `pt-BR`; kept in its canonical form',
});

/** The tag in its canonical form; null when it is none, or a longer one than is kept. */
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
