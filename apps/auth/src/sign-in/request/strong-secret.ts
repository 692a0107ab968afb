const fewestDifferent = 8;
const longest = 200;

/** Whether a client's secret can contain 128 random bits: 32 hex digits, or 22 characters of base64. */
export function canBeStrong(secret: string): boolean {
  const digits = secret.replaceAll('-', '');
  const isLong = /^[0-9a-f]+$/i.test(digits) ? digits.length >= 32 : secret.length >= 22;
  return (
    /^[\w+/=.~-]+$/.test(secret) &&
    secret.length <= longest &&
    isLong &&
    new Set(secret).size >= fewestDifferent
  );
}
