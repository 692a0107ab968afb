import { senderScope } from '@tickrate/pipeline';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AcceptedElement } from '../reading/admit-multi.ts';
import { keyedByEvents, keyedByRequest } from './idempotency.ts';

const scope = senderScope({ accountId: null, keyLine: 'k-1' });
const named = { scope, idempotencyKey: 'k', bodyType: '' };
const body = Buffer.from('{}');
const elements = fc.array(
  fc.record({ eventId: fc.option(fc.uuid(), { freq: 2 }), isAccepted: fc.boolean() }),
  {
    maxLength: 40,
  },
);
type Sent = readonly { readonly eventId: string | null; readonly isAccepted: boolean }[];

/** Like admission: stretches are counted over the whole body. */
function acceptedOf(sent: Sent): (AcceptedElement & { readonly place: number })[] {
  let stretch = 0;
  return sent.flatMap(({ eventId, isAccepted }, place) => {
    if (eventId !== null) stretch++;
    return isAccepted ? [{ eventId, stretch, place }] : [];
  });
}

describe('rows of a request', () => {
  test('have no key when the client sent none', () => {
    expect(keyedByRequest({ scope, idempotencyKey: null, bodyType: '' }, body, 5)).toEqual([]);
    expect(
      keyedByEvents([{ eventId: null, stretch: 0 }], { scope, idempotencyKey: null, bodyType: '' }, body),
    ).toEqual([]);
  });

  test('have one key, which differs for every text', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 20 }), (texts) => {
        const keys = texts.flatMap((text) =>
          keyedByRequest({ scope, idempotencyKey: text, bodyType: '' }, body, 3),
        );
        expect(
          keys.every(({ firstRow, count, key }) => firstRow === 0 && count === 3 && key.length <= 32),
        ).toBe(true);
        expect(new Set(keys.map(({ key }) => key)).size).toBe(texts.length);
        expect(keys).toEqual(
          texts.flatMap((text) => keyedByRequest({ scope, idempotencyKey: text, bodyType: '' }, body, 3)),
        );
      }),
    );
  });

  test('that were all rejected have none', () => {
    expect(keyedByRequest(named, body, 0)).toEqual([]);
  });

  test('with ids have keys of their own, and other rows have the key of the request', () => {
    fc.assert(
      fc.property(elements, (sent) => {
        const accepted = acceptedOf(sent);
        const keyed = keyedByEvents(accepted, named, body);
        const covered = keyed.flatMap(({ firstRow, count }) =>
          Array.from({ length: count }, (_, n) => firstRow + n),
        );
        expect(covered).toEqual(accepted.map((_, row) => row));
        const ids = new Set(accepted.flatMap(({ eventId }) => eventId ?? []));
        const stretches = new Set(
          accepted.flatMap(({ eventId, stretch }) => (eventId === null ? stretch : [])),
        );
        expect(new Set(keyed.map(({ key }) => key)).size).toBe(ids.size + stretches.size);
      }),
    );
  });

  test('keep their keys when the same body is sent again and other elements are accepted', () => {
    const second = elements.chain((sent) =>
      fc.tuple(fc.constant(sent), fc.array(fc.boolean(), { minLength: sent.length, maxLength: sent.length })),
    );
    fc.assert(
      fc.property(second, ([sent, accepts]) => {
        const again = sent.map((element, n) => ({ ...element, isAccepted: accepts[n] ?? false }));
        const first = keyOfEach(sent);
        for (const [place, key] of keyOfEach(again)) expect(first.get(place) ?? key).toBe(key);
      }),
    );
  });

  test('have the same key for every spelling of their id', () => {
    const keyOf = (eventId: string) => keyedByEvents([{ eventId, stretch: 1 }], named, body)[0]?.key;
    expect(keyOf('0192F0C0-7D2E-7000-8000-00000000000A')).toBe(keyOf('0192f0c0-7d2e-7000-8000-00000000000a'));
  });

  test('have other keys when another account or key line sends them', () => {
    const sender = fc.record({
      accountId: fc.option(fc.constantFrom('u-1', 'u-2')),
      keyLine: fc.option(fc.constantFrom('u-1', 'l-1', 'l-2')),
    });
    const idempotencyKey = 'k';
    const accepted = [
      { eventId: null, stretch: 0 },
      { eventId: '0192f0c0-7d2e-7000-8000-00000000000a', stretch: 1 },
    ];
    fc.assert(
      fc.property(sender, sender, (a, b) => {
        const [ofA, ofB] = [a, b].map(senderScope).map((each) => {
          const keyed = keyedByEvents(accepted, { scope: each, idempotencyKey, bodyType: '' }, body);
          return new Set(keyed.map(({ key }) => key));
        });
        const isSame =
          a.accountId === null
            ? b.accountId === null && a.keyLine === b.keyLine
            : a.accountId === b.accountId;
        expect(ofA?.intersection(ofB ?? new Set()).size).toBe(isSame ? 2 : 0);
      }),
    );
  });
});

function keyOfEach(sent: Sent): Map<number, string> {
  const accepted = acceptedOf(sent);
  return new Map(
    keyedByEvents(accepted, named, body).flatMap(({ key, firstRow, count }) =>
      accepted.slice(firstRow, firstRow + count).map(({ place }) => [place, key] as const),
    ),
  );
}
