import type { ObjectShape, ScalarShape, Shape, StringFormat } from '../shape.ts';

/** A ClickHouse type as text, and as its binary code inside a value of the JSON type. */
export interface StoredType {
  readonly text: string;
  readonly code: readonly number[];
}

const scalarTypes = {
  Int32: [0x09],
  Int64: [0x0a],
  UInt64: [0x04],
  Float64: [0x0e],
  String: [0x15],
  Bool: [0x2d],
  'DateTime64(3)': [0x13, 3],
  Date32: [0x10],
  UUID: [0x1d],
  IPv4: [0x28],
  IPv6: [0x29],
} as const;
const formatted: Readonly<Record<StringFormat, keyof typeof scalarTypes>> = {
  'date-time': 'DateTime64(3)',
  date: 'Date32',
  uuid: 'UUID',
  ipv4: 'IPv4',
  ipv6: 'IPv6',
  email: 'String',
  uri: 'String',
};
const integers = { int32: 'Int32', int64: 'Int64', uint64: 'UInt64' } as const;
const arrayCode = 0x1e;
const nullableCode = 0x23;
const mapCode = 0x27;
const namedTupleCode = 0x20;

/**
 * The type under which a value is stored. Only scalars can be null in ClickHouse: a list or map without a value is
 * stored empty, and a record without a value is stored with all its members null.
 */
export function storedType(shape: Shape, absentPossible: boolean): StoredType {
  const optional = absentPossible || shape.nullable;
  switch (shape.kind) {
    case 'array': {
      const items = storedType(shape.items, false);
      return { text: `Array(${items.text})`, code: [arrayCode, ...items.code] };
    }
    case 'map': {
      const values = storedType(shape.values, false);
      return { text: `Map(String, ${values.text})`, code: [mapCode, ...scalarTypes.String, ...values.code] };
    }
    case 'object':
      return recordType(shape, optional);
    default: {
      const type = scalarType(shape);
      if (!optional) return type;
      return { text: `Nullable(${type.text})`, code: [nullableCode, ...type.code] };
    }
  }
}

function scalarType(shape: ScalarShape): StoredType {
  const text = scalarTypeName(shape);
  return { text, code: scalarTypes[text] };
}

function scalarTypeName(shape: ScalarShape): keyof typeof scalarTypes {
  switch (shape.kind) {
    case 'string':
      return shape.format === null ? 'String' : formatted[shape.format];
    case 'integer':
      return integers[shape.format ?? 'int64'];
    case 'number':
      return 'Float64';
    default:
      return 'Bool';
  }
}

function recordType(shape: ObjectShape, optional: boolean): StoredType {
  const members = shape.members.map((member) => ({
    name: member.name,
    type: storedType(member.shape, optional || !member.required),
  }));
  return {
    text: `Tuple(${members.map(({ name, type }) => `${name} ${type.text}`).join(', ')})`,
    code: [
      namedTupleCode,
      ...varuint(members.length),
      ...members.flatMap(({ name, type }) => [name.length, ...Buffer.from(name), ...type.code]),
    ],
  };
}

export function varuint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
}
