const fewestDifferent = 8;
const longest = 200;

/**
 * Whether a client's secret can contain 128 random bits: 32 hex digits, or 22 characters of base64, that neither repeat
 * nor count up or down. A random secret fails this less than once in 10^8.
 */
export function canBeStrong(secret: string): boolean {
  const digits = secret.replaceAll('-', '');
  const isLong = /^[0-9a-f]+$/i.test(digits) ? digits.length >= 32 : secret.length >= 22;
  return (
    /^[\w+/=.~-]+$/.test(secret) &&
    secret.length <= longest &&
    isLong &&
    new Set(secret).size >= fewestDifferent &&
    !repeats(digits) &&
    !counts(digits)
  );
}

/** Whether the text is one of at most half its length, written again and again. */
function repeats(text: string): boolean {
  const at = text.slice(1).indexOf(text.slice(0, Math.ceil(text.length / 2)));
  return at !== -1 && text.startsWith(text.slice(at + 1));
}

/** Whether most characters equal the one before them, or are its neighbour. */
function counts(text: string): boolean {
  const codes = [...text].map((character) => character.charCodeAt(0));
  const steps = codes.slice(1).filter((code, at) => Math.abs(code - (codes[at] ?? 0)) <= 1);
  return steps.length > ((codes.length - 1) * 2) / 3;
}
