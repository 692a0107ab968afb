const base = 1763809200000;

/**
 * Each row is a call of `track()`: what both clocks show, whether the segment is sealed before, and the time of the event.
 * The first call of a case begins a segment.
 */
export const clockVectors = [
  {
    note: 'both clocks advance together; a difference of 2 s is no jump',
    calls: [
      { wallMs: base, monotonicMs: 1000, seals: false, occurredAt: '2025-11-22T11:00:00.000Z' },
      { wallMs: base + 500, monotonicMs: 1500, seals: false, occurredAt: '2025-11-22T11:00:00.500Z' },
      { wallMs: base + 3000, monotonicMs: 2000, seals: false, occurredAt: '2025-11-22T11:00:01.000Z' },
      { wallMs: base - 1000, monotonicMs: 2000, seals: false, occurredAt: '2025-11-22T11:00:01.000Z' },
    ],
    clientTime: { wallMs: base + 60000, monotonicMs: 61000, value: base + 60000 },
  },
  {
    note: 'the clock is set forward, from 1970',
    calls: [
      { wallMs: 5000, monotonicMs: 0, seals: false, occurredAt: '1970-01-01T00:00:05.000Z' },
      { wallMs: 6000, monotonicMs: 1000, seals: false, occurredAt: '1970-01-01T00:00:06.000Z' },
      { wallMs: base, monotonicMs: 2000, seals: true, occurredAt: '2025-11-22T11:00:00.000Z' },
      { wallMs: base + 1, monotonicMs: 2001, seals: false, occurredAt: '2025-11-22T11:00:00.001Z' },
    ],
    clientTime: { wallMs: base + 1000, monotonicMs: 3000, value: base + 1000 },
  },
  {
    note: 'the clock is set back by 2001 ms; the request is sent after another jump',
    calls: [
      { wallMs: base, monotonicMs: 0, seals: false, occurredAt: '2025-11-22T11:00:00.000Z' },
      { wallMs: base - 1001, monotonicMs: 1000, seals: true, occurredAt: '2025-11-22T10:59:58.999Z' },
    ],
    clientTime: { wallMs: base + 3600000, monotonicMs: 5000, value: base - 1001 + 4000 },
  },
];
