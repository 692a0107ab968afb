import fc from 'fast-check';

/** JSON whose objects are Maps and whose integers beyond 2^53 are bigint. */
export type SampleJson = null | boolean | number | bigint | string | SampleJson[] | Map<string, SampleJson>;

/** A declaration, and a generator of events that match it. */
export interface DeclaredSample {
  readonly document: Record<string, unknown>;
  readonly event: fc.Arbitrary<SampleJson>;
}

interface Sample {
  readonly schema: Record<string, unknown>;
  readonly value: fc.Arbitrary<SampleJson>;
}

const memberName = fc.stringMatching(/^[a-z_][a-z0-9_]{0,7}$/);
// The unit 'binary' has the same characters, but its table costs a second of CPU at its first use.
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));
const text = fc.string({
  unit: fc.oneof(fc.constantFrom('a', '"', '\\', '\n', '\0'), character),
  maxLength: 40,
});

/** Declarations of every kind of member, nested, with lists, maps and records, and events that match them. */
export function declaredSamples(): fc.Arbitrary<DeclaredSample> {
  return objectSample(2).map(({ schema, value }) => ({ document: schema, event: value }));
}

function anySample(depth: number, repeated: boolean): fc.Arbitrary<Sample> {
  const scalars = [
    { weight: 4, arbitrary: withNull(stringSample()) },
    { weight: 4, arbitrary: withNull(integerSample()) },
    { weight: 2, arbitrary: withNull(numberSample()) },
    { weight: 1, arbitrary: withNull(fc.constant({ schema: { type: 'boolean' }, value: fc.boolean() })) },
    { weight: 4, arbitrary: withNull(formatSample()) },
  ];
  if (depth === 0) return fc.oneof(...scalars);
  return fc.oneof(
    ...scalars,
    { weight: 2, arbitrary: objectSample(depth - 1) },
    { weight: 2, arbitrary: arraySample(depth - 1, repeated) },
    { weight: 1, arbitrary: mapSample(depth - 1) },
  );
}

function withNull(sample: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc
    .tuple(sample, fc.boolean())
    .map(([{ schema, value }, nullable]) =>
      nullable
        ? { schema: nullableSchema(schema), value: fc.oneof(value, fc.constant(null)) }
        : { schema, value },
    );
}

function nullableSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const list = schema['enum'];
  const values = Array.isArray(list) ? { enum: [...list, null] } : {};
  return { ...schema, ...values, type: [schema['type'], 'null'] };
}

function objectSample(depth: number): fc.Arbitrary<Sample> {
  const member = fc.record({ name: memberName, required: fc.boolean(), sample: anySample(depth, false) });
  const members = fc.uniqueArray(member, { minLength: 1, maxLength: 6, selector: ({ name }) => name });
  return members.map((list) => ({
    schema: {
      type: 'object',
      properties: Object.fromEntries(list.map(({ name, sample }) => [name, sample.schema])),
      required: list.filter(({ required }) => required).map(({ name }) => name),
    },
    value: shuffledMembers(list),
  }));
}

function shuffledMembers(
  list: readonly { name: string; required: boolean; sample: Sample }[],
): fc.Arbitrary<SampleJson> {
  const optional = list.filter(({ required }) => !required).map(({ name }) => name);
  return fc
    .tuple(
      fc.tuple(...list.map(({ name, sample }) => sample.value.map((value) => [name, value] as const))),
      fc.subarray(optional),
      fc.boolean(),
    )
    .map(([entries, left, reversed]) => {
      const kept = entries.filter(([name]) => !left.includes(name));
      return new Map(reversed ? kept.reverse() : kept);
    });
}

function arraySample(depth: number, repeated: boolean): fc.Arbitrary<Sample> {
  return anySample(repeated ? 0 : depth, true).map(({ schema, value }) => ({
    schema: { type: 'array', items: schema },
    value: fc.array(value, { maxLength: 5 }),
  }));
}

function mapSample(depth: number): fc.Arbitrary<Sample> {
  const key = text.filter((name) => !['__proto__', 'constructor', 'prototype'].includes(name));
  return anySample(depth, true).map(({ schema, value }) => ({
    schema: { type: 'object', additionalProperties: schema },
    value: fc
      .uniqueArray(fc.tuple(key, value), { maxLength: 4, selector: ([name]) => name })
      .map((entries) => new Map(entries)),
  }));
}

function stringSample(): fc.Arbitrary<Sample> {
  const bounded = fc.integer({ min: 0, max: 5 }).map((minLength) => ({
    schema: { type: 'string', minLength, maxLength: minLength + 20 },
    value: text.filter((value) => [...value].length >= minLength && [...value].length <= minLength + 20),
  }));
  // A declaration may not contain what changes the order of the text around it; an event may.
  const listable = text.filter((value) => !/[\u202A-\u202E\u2066-\u2069]/.test(value));
  const listed = fc.uniqueArray(listable, { minLength: 1, maxLength: 4 }).map((list) => ({
    schema: { type: 'string', enum: list },
    value: fc.constantFrom(...list),
  }));
  const patterned = fc.constant({
    schema: { type: 'string', pattern: '^[a-z]{2,4}(-[0-9]+)?$' },
    value: fc.stringMatching(/^[a-z]{2,4}(-[0-9]+)?$/),
  });
  return fc.oneof(fc.constant({ schema: { type: 'string' }, value: text }), bounded, listed, patterned);
}

function integerSample(): fc.Arbitrary<Sample> {
  const ranges = [
    { format: undefined, min: -(2n ** 63n), max: 2n ** 63n - 1n },
    { format: 'int32', min: -(2n ** 31n), max: 2n ** 31n - 1n },
    { format: 'int64', min: -(2n ** 63n), max: 2n ** 63n - 1n },
    { format: 'uint64', min: 0n, max: 2n ** 64n - 1n },
  ];
  const whole = fc.constantFrom(...ranges).map(({ format, min, max }) => ({
    schema: { type: 'integer', ...(format === undefined ? {} : { format }) },
    value: wideInteger(min, max, format === 'int64' || format === 'uint64'),
  }));
  const stepped = fc.integer({ min: 1, max: 9 }).map((step) => ({
    schema: { type: 'integer', minimum: -100, maximum: 100, multipleOf: step },
    value: fc.integer({ min: Math.ceil(-100 / step), max: Math.floor(100 / step) }).map((n) => n * step || 0),
  }));
  return fc.oneof({ weight: 3, arbitrary: whole }, stepped);
}

function wideInteger(min: bigint, max: bigint, asText: boolean): fc.Arbitrary<SampleJson> {
  const wide = fc.oneof(
    fc.bigInt({ min, max }),
    fc.constantFrom(min, max, 0n),
    fc.bigInt({ min: 0n, max: 99n }),
  );
  const numbers = wide.map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
  return asText ? fc.oneof(numbers, wide.map(String)) : numbers;
}

function numberSample(): fc.Arbitrary<Sample> {
  const any = fc.double({ noNaN: true, noDefaultInfinity: true });
  return fc.oneof(
    fc.constant({ schema: { type: 'number' }, value: fc.oneof(any, fc.integer()) }),
    fc.constant({
      schema: { type: 'number', minimum: -1, exclusiveMaximum: 1 },
      value: fc.double({ min: -1, max: 1, maxExcluded: true, noNaN: true }),
    }),
  );
}

function formatSample(): fc.Arbitrary<Sample> {
  const dates = fc.date({
    min: new Date('1900-01-01'),
    max: new Date('2299-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  const values: Record<string, fc.Arbitrary<string>> = {
    'date-time': dates.map((date) => date.toISOString()),
    date: dates.map((date) => date.toISOString().slice(0, 10)),
    uuid: fc.uuid(),
    ipv4: fc.ipV4(),
    ipv6: fc.ipV6(),
    email: fc
      .tuple(memberName, memberName)
      .map(([user, host]) => `${user}@${host.replaceAll('_', 'x')}.example`),
    uri: fc.webUrl(),
  };
  return fc
    .constantFrom(...Object.entries(values))
    .map(([format, value]) => ({ schema: { type: 'string', format }, value }));
}
