import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeChunkJob, encodeChunkJob } from './chunk.ts';
import { sampleChunk, sampleParcel } from './chunk-samples.ts';
import { decodeParcel, encodeParcel, mostChunksOfParcel, parcelIdOf } from './parcel.ts';

const chunk = sampleChunk(1_767_225_600_000);
const job = encodeChunkJob(chunk);

function decode(changes: object, id = chunk.id) {
  return decodeChunkJob(id, job.name, { ...job.data, ...changes });
}

test('a chunk is read back unchanged from its job, through JSON', () => {
  const frames = fc.uint8Array({ minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 }), (noise, counts) => {
      const given = {
        ...chunk,
        count: 100,
        frame: Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), noise]),
        position: {
          start: 20,
          settled: 15,
          voids: counts.map((count, n) => [3 * n, 3 * n + (count % 2) + 1] as const),
        },
        idempotency: counts.map((count, n) => ({ key: `k${n}`, count, start: n * 50, length: count * 5 })),
      };
      const { name, data } = encodeChunkJob(given);
      const decoded = decodeChunkJob(given.id, name, JSON.parse(JSON.stringify(data)));
      expect(decoded).toEqual({ ok: true, chunk: given });
    }),
  );
});

test('a traceparent travels with the chunk, and an invalid one costs no event', () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const { data } = encodeChunkJob({ ...chunk, traceparent });
  expect(decode(data)).toEqual({ ok: true, chunk: { ...chunk, traceparent } });
  for (const t of ['00-x', 7, null]) expect(decode({ t })).toEqual({ ok: true, chunk });
});

describe('a job without a valid chunk is reported with the reason', () => {
  const run = ['key', 1, 0, 10];
  for (const [changes, reason] of [
    [{ v: 2 }, 'unknown version'],
    [{ n: 0 }, 'n is not a count of rows'],
    [{ n: 1.5 }, 'n is not a count of rows'],
    [{ p: 'a:b' }, 'p is not a project id'],
    [{ p: 'p-ba9876543210' }, 'the name is of another chunk'],
    [{ n: 4 }, 'the name is of another chunk'],
    [{ s: {} }, 's is not a list of positions'],
    [{ s: [] }, 's is not a list of positions'],
    [{ s: [9, 1] }, 's is not a list of positions'],
    [{ s: [9, 3, 2] }, 's is not a list of positions'],
    [{ s: [9, 3, 10] }, 's is not a list of positions'],
    [{ s: [-1] }, 's is not a list of positions'],
    [{ s: ['9'] }, 's is not a list of positions'],
    [{ i: {} }, 'i is not a list of runs'],
    [{ i: [7] }, 'a run is not a tuple'],
    [{ i: [['', 1, 0, 10]] }, 'a run has no key'],
    [{ i: [['key', -1, 0, 10]] }, 'a run is not made of counts'],
    [{ i: [run, run] }, 'runs overlap'],
    [{ i: [['key', 4, 0, 10]] }, 'runs hold more rows than the chunk'],
    [{ z: 'AAAA' }, 'z is not a zstd frame in base64'],
    [{ z: `${job.data.z.slice(0, -2)}!!` }, 'z is not a zstd frame in base64'],
  ] as const) {
    test(`${JSON.stringify(changes)}: ${reason}`, () => {
      expect(decode(changes)).toMatchObject({ ok: false, malformed: { id: chunk.id, reason } });
    });
  }

  test('an id that is not a UUIDv7 is not accepted', () => {
    const id = '00000000-0000-4000-8000-000000000000';
    expect(decode({}, id)).toMatchObject({ ok: false, malformed: { reason: 'the job id is not a UUIDv7' } });
  });
});

test('a job without a process in its name has no valid chunk', () => {
  const named = `${chunk.projectId}:${chunk.count}`;
  const reason = 'the name does not say who sent it';
  expect(decodeChunkJob(chunk.id, named, job.data)).toMatchObject({
    ok: false,
    malformed: { reason, sent: null },
  });
});

test('a malformed job is read with the facts of its name and its whole content', () => {
  expect(decodeChunkJob('x', 'p-0123456789ab:12', null)).toMatchObject({
    ok: false,
    malformed: { projectId: 'p-0123456789ab', count: 12, raw: '{"name":"p-0123456789ab:12","data":null}' },
  });
  expect(decodeChunkJob('x', 'p-0123456789ab:12:34:host.name-1', null)).toMatchObject({
    malformed: { count: 12, sent: { producer: 'host.name-1', start: 34 } },
  });
  expect(decodeChunkJob('x', 'whatever', 7)).toMatchObject({
    ok: false,
    malformed: { projectId: null, count: 0 },
  });
});

describe('a parcel', () => {
  const counts = Array.from({ length: mostChunksOfParcel }, (_, n) => n + 1);
  const chunks = sampleParcel(1_767_225_600_000, counts);
  const parcel = encodeParcel(chunks);
  const data = JSON.parse(JSON.stringify(parcel.data)) as { c: unknown[] };

  test('has an id that each of its chunks contains, and a single chunk has its own id', () => {
    expect(new Set([parcel.id, ...chunks.map(({ id }) => id)]).size).toBe(chunks.length + 1);
    expect(new Set(chunks.map(({ id }) => parcelIdOf(id)))).toEqual(new Set([parcel.id]));
    expect(decodeParcel(parcel.id, parcel.name, data)).toEqual({ chunks, malformed: [] });
    expect(encodeParcel([chunk])).toEqual({ id: chunk.id, ...job });
    expect(() => encodeParcel([...chunks].reverse())).toThrow(RangeError);
  });

  test('loses only the chunk that cannot be read, and reports its events and project', () => {
    const c = data.c.map((part, index) => (index === 1 ? { v: 1 } : part)).slice(0, -1);
    const decoded = decodeParcel(parcel.id, parcel.name, { ...data, c });
    expect(decoded.chunks).toEqual(chunks.filter((_, index) => index !== 1 && index < counts.length - 1));
    const lost = [chunks[1], chunks.at(-1)].map((each) => ({
      id: each?.id,
      projectId: each?.projectId,
      count: each?.count,
    }));
    expect(decoded.malformed).toMatchObject(lost);
  });
});

test('the decoder throws for no JSON value', () => {
  const members = fc.record(
    {
      v: fc.constantFrom(1, 2),
      n: fc.jsonValue(),
      p: fc.jsonValue(),
      s: fc.jsonValue(),
      i: fc.jsonValue(),
      z: fc.jsonValue(),
    },
    { requiredKeys: ['v'] },
  );
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.oneof(members, fc.jsonValue()), (id, name, data) => {
      expect(typeof decodeChunkJob(id, name, data).ok).toBe('boolean');
      for (const each of [data, { v: 2, c: [data] }]) {
        const { chunks, malformed } = decodeParcel(id, name, each);
        expect(chunks.length + malformed.length).toBeGreaterThan(0);
      }
    }),
  );
});
