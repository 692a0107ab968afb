/** The text of a UUID of any version. */
export const uuidShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns a function that writes a UUIDv7 for the time `ms` into `out` at `at`, in the store's form: two little-endian
 * halves. It reads the 10 bytes of `random` anew for each id, so that the caller may change them in between. Six of
 * their bits give way to the version and the variant.
 */
export function createUuidV7Writer(random: Uint8Array): (out: Uint8Array, at: number, ms: number) => void {
  return (out, at, ms) => {
    const high = Math.floor(ms / 0x10000);
    const low = ms % 0x10000;
    out[at + 7] = (high >>> 24) & 0xff;
    out[at + 6] = (high >>> 16) & 0xff;
    out[at + 5] = (high >>> 8) & 0xff;
    out[at + 4] = high & 0xff;
    out[at + 3] = low >>> 8;
    out[at + 2] = low & 0xff;
    out[at + 1] = 0x70 | ((random[0] ?? 0) & 0x0f);
    out[at] = random[1] ?? 0;
    out[at + 15] = 0x80 | ((random[2] ?? 0) & 0x3f);
    out[at + 14] = random[3] ?? 0;
    out[at + 13] = random[4] ?? 0;
    out[at + 12] = random[5] ?? 0;
    out[at + 11] = random[6] ?? 0;
    out[at + 10] = random[7] ?? 0;
    out[at + 9] = random[8] ?? 0;
    out[at + 8] = random[9] ?? 0;
  };
}

const storedPlace = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];

/** Returns the text of the UUID that stands at `at` in the store's form. */
export function uuidText(bytes: Uint8Array, at: number): string {
  const hex = storedPlace.map((place) => (bytes[at + place] ?? 0).toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
