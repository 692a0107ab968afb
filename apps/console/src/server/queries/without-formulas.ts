import { Transform } from 'node:stream';

/** The same as in the downloads of the pages, which can import no value from here. */
const formula = /^[=+\-@\t\r\n]/;
const quote = 0x22;
const apostrophe = Buffer.from("'");

/**
 * Puts an apostrophe in front of texts that a spreadsheet would run as a formula, while ClickHouse's CSV passes: it
 * quotes every text, and nothing that is a number.
 */
export function withoutFormulas(): Transform {
  let isInside = false;
  /** Whether the byte before was the quote that begins a text, or one that can end it or stand for a quote in it. */
  let before: 'begin' | 'end' | null = null;

  function* partsOf(part: Buffer): Generator<Buffer> {
    let from = 0;
    for (let at = 0; at < part.byteLength; ) {
      const byte = part[at] ?? 0;
      if (before === 'begin' && formula.test(String.fromCharCode(byte))) {
        yield part.subarray(from, at);
        yield apostrophe;
        from = at;
      }
      if (byte === quote) passQuote();
      else before = null;
      at = byte === quote ? at + 1 : nextQuote(part, at);
    }
    yield part.subarray(from);
  }

  function passQuote(): void {
    if (isInside) before = 'end';
    else before = before === 'end' ? null : 'begin';
    isInside = !isInside;
  }

  return new Transform({
    transform(part: Buffer, _, done) {
      done(null, Buffer.concat([...partsOf(part)]));
    },
  });
}

function nextQuote(part: Buffer, from: number): number {
  const at = part.indexOf(quote, from);
  return at === -1 ? part.byteLength : at;
}
