const numberParts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,4}))?$/;
// No declared type is wider, and a long BigInt is slow to create.
const digitsAtMost = 40;

/**
 * Returns the exact integer that a JSON number with a point or an exponent denotes, or null if it is not an integer.
 */
export function exactInteger(text: string): bigint | null {
  const match = text.length <= digitsAtMost ? numberParts.exec(text) : null;
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent) - fraction.length;
  const digits = whole + fraction;
  if (digits.length + shift > digitsAtMost) return null;
  const cut = Math.max(0, digits.length + Math.min(0, shift));
  if (/[1-9]/.test(digits.slice(cut))) return null;
  const size = BigInt(digits.slice(0, cut) + '0'.repeat(Math.max(0, shift)));
  return sign === '-' ? -size : size;
}
