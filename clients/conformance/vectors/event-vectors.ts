type Crc32 = (text: string) => number;

/** Texts that have broken other clients. `clients/conformance` uses them for `text` of event n: texts[n mod 8]. */
const texts = [
  'plain',
  'quote " backslash \\ slash /',
  'line\nfeed\ttab\rreturn',
  'Ünïcödé ßtraße',
  '弓の達人',
  '🏹👩‍🚀',
  'control \u0001 and delete \u007f and \u2028 separators',
  '',
];

/** Events and the exact line of a segment; other escapes of the same text are allowed if the line is valid JSON. */
export function eventVectors(crc32: Crc32) {
  const events = [
    ...texts.map((text, n) => ({ eventType: 'conformance', eventTypeVersion: 1, event: { n, text } })),
    {
      eventType: 'numbers',
      event: { big: 9007199254740991, negative: -1, ratio: 0.25, tiny: 1e-7, zero: 0 },
    },
    { eventType: 'nothing', event: {} },
    { eventType: 'deep', event: { list: [[1], [], [null]], map: { a: { b: true } } } },
  ].map((event) => ({ ...event, occurredAt: '2025-11-22T11:00:00.000Z' }));
  const lines = events.map((event) => {
    const json = JSON.stringify(event);
    return { event, line: `${crc32(json).toString(16).padStart(8, '0')} ${json}\n` };
  });
  const checksums = ['', 'a', '123456789', ...texts].map((text) => ({
    text,
    crc32: crc32(text).toString(16).padStart(8, '0'),
  }));
  return { texts, checksums, lines };
}
