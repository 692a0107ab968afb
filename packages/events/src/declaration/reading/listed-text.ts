const shownValues = 20;
const shownCharacters = 1_000;
const shownLines = 20;

/** Some of the values of a list, for people: the list itself may be long. */
export function listedText(values: readonly unknown[]): string {
  const shown = values.slice(0, shownValues).map((value) => shortText(String(value), 100));
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** The beginning of what a declaration says about a member, where it is copied to: a view, generated code. */
export function shownDescription(text: string): string {
  const lines = text.split('\n', shownLines + 1);
  return shortText(
    lines.length > shownLines ? `${lines.slice(0, shownLines).join('\n')}…` : text,
    shownCharacters,
  );
}

function shortText(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not in the middle of a surrogate pair.
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
