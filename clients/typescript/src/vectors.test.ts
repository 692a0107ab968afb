import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffMs, decide } from './core/answer.ts';
import { checksum, utf8Length } from './core/checksum.ts';
import { bodyOf, needlessChildren, readName, readSegment, splitText, writeLine } from './core/segment.ts';
import { beginning, give, receive, type SignInInput, type SignInOutcome } from './sign-in/reducer.ts';

const folder = join(import.meta.dirname, '../../conformance/vectors');
// biome-ignore lint/suspicious/noExplicitAny: the vectors are data of many shapes
const load = (name: string): any => JSON.parse(readFileSync(join(folder, name), 'utf8'));

// The unit 'binary' has the same characters, but its table costs a second of CPU at its first use.
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

// Invariant (Delivery): An event that an SDK's `track()` confirmed is stored exactly once, with its
// values: through kills, lost and hostile answers, edited buffers and clock jumps
describe('segments', () => {
  const { segments, names } = load('segments.json');

  test.each<{ file: string; note: string }>(segments)('$note', (expected: Record<string, unknown>) => {
    const file = String(expected['file']);
    const text = readFileSync(join(folder, 'segments', file), 'utf8');
    const read = readSegment(text, file.endsWith('.seal'));
    const { outcome, lost } = read;
    expect({ outcome, lost }).toEqual({ outcome: expected['outcome'], lost: expected['lost'] });
    if (!('text' in read)) return;
    const { principal, base, events, goodBytes } = read;
    expect({ principal, base, events, goodBytes, body: bodyOf(read.text) }).toEqual({
      principal: expected['principal'],
      base: expected['base'],
      events: expected['events'],
      goodBytes: expected['goodBytes'],
      body: expected['body'],
    });
  });

  test.each<{ name: string; timeMs: number | null }>(names)('the name "$name"', ({ name, ...parts }) => {
    expect(readName(name)).toEqual(parts.timeMs === null ? null : parts);
  });

  test('are read up to the first byte that differs, wherever it is', () => {
    const text = readFileSync(join(folder, 'segments', segments[0].file), 'utf8');
    const whole = readSegment(text, false);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom('x', '\n', '\0', ''), (at, change) => {
        const read = readSegment(text.slice(0, at) + change + text.slice(at + 1), false);
        if (!('text' in read) || !('text' in whole)) return;
        expect(whole.text.startsWith(read.text)).toBe(true);
      }),
    );
  });
});

test('splits depend on the segment alone', () => {
  const { splits, recoveries } = load('splits.json');
  for (const { parent, children } of splits) {
    if (children.length === 0) continue;
    expect(splitText(parent.text)).toEqual(children.map(({ text }: { text: string }) => text));
    expect(children.map(({ name }: { name: string }) => readName(name)?.key)).toEqual(
      children.map(({ key }: { key: string }) => key),
    );
  }
  for (const { files, kept } of recoveries) {
    const keys = files.map((name: string) => readName(name)?.key ?? '');
    const needless = new Set(needlessChildren(keys));
    expect(files.filter((_: string, at: number) => !needless.has(keys[at]))).toEqual(kept);
  }
});

test('checksums and lines', () => {
  const { checksums, lines } = load('events.json');
  for (const { text, crc32: expected } of checksums) expect(checksum(text)).toBe(expected);
  for (const { event, line } of lines) expect(writeLine(JSON.stringify(event))).toBe(line);
  const whole = ['{}', ...lines.map(({ event }: { event: object }) => JSON.stringify(event))]
    .map(writeLine)
    .join('');
  expect(bodyOf(whole)).toBe(
    lines.map(({ event }: { event: object }) => `${JSON.stringify(event)}\n`).join(''),
  );
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      expect(Number.parseInt(checksum(text), 16)).toBe(crc32(text));
      expect(utf8Length(text)).toBe(Buffer.byteLength(text));
    }),
  );
});

test.each<Record<string, never>>(load('answers.json'))('the answer "$note"', (vector) => {
  const { status, headers, body, action, delayMs, lost }: Record<string, unknown> = vector;
  const retryAfter = (headers as Record<string, string> | undefined)?.['retry-after'] ?? null;
  const decision = decide({ status: Number(status ?? 0), text: String(body), retryAfter }, 0, {
    random: 0.5,
  });
  expect(decision.action).toBe(action);
  if (delayMs !== undefined) expect(decision.delayMs).toBe(delayMs);
  if (action === 'delete')
    expect(decision.rejected).toBe((lost as Record<string, number> | undefined)?.['rejected'] ?? 0);
});

test('backoff', () => {
  for (const { attempt, r, delayMs } of load('backoff.json')) expect(backoffMs(attempt, r)).toBe(delayMs);
});

const transcripts = globSync('sign-in/*.json', { cwd: folder }).map((name) => [
  basename(name, '.json'),
  name,
]);

test.each(transcripts)('sign-in: %s', (_, name = '') => {
  let state = beginning;
  let request: object | null = null;
  for (const {
    input,
    sends,
    call = 'PUT /2018-03-24/authenticate',
    status = 200,
    answer,
    expect: expected,
  } of load(name)) {
    if (input !== undefined) {
      ({ state, request } = give(state, input as SignInInput));
    }
    const [method, path] = call.split(' /2018-03-24/');
    expect(request).toEqual({ method, path, body: sends });
    const step = receive(state, status, answer);
    state = step.state;
    expect(shown(step.outcome)).toEqual(expected);
    if (step.outcome.kind === 'request') request = step.outcome.request;
  }
});

function shown(outcome: SignInOutcome): unknown {
  switch (outcome.kind) {
    case 'request':
      return { request: true };
    case 'retry':
      return { retry: true, retryAfterSeconds: outcome.retryAfterSeconds };
    case 'failed':
      return { error: outcome.error, ended: true };
    case 'prompt': {
      const { prompt, options, error } = outcome;
      return { prompt, options, ...(error && { error }) };
    }
    case 'session': {
      const { apiKey, accountId, device } = outcome.session;
      const { recoveryCodes } = outcome;
      return {
        session: apiKey.replace('tk_ses_', ''),
        account: accountId,
        ...(device && { device }),
        ...(recoveryCodes && { recoveryCodes }),
      };
    }
  }
}
