export type Schema = Readonly<Record<string, unknown>>;

export interface Member {
  readonly name: string;
  /** An object in every declaration that the server accepts; while it is written it can be anything. */
  readonly schema: unknown;
  readonly isRequired: boolean;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The named members of an object, in the order of its declaration. */
export function readMembers({ properties, required }: Schema): readonly Member[] {
  const needed = Array.isArray(required) ? required : [];
  if (!isSchema(properties)) return [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: needed.includes(name),
  }));
}

/** The object with these members. All its other keywords stay as they are, in their order. */
export function writeMembers(object: Schema, members: readonly Member[]): Schema {
  const required = members.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const needsList = required.length > 0 || 'required' in object;
  return {
    ...object,
    ...(needsList && { required }),
    properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
  };
}

/** The list with one member at another place. */
export function moveMember(members: readonly Member[], from: number, to: number): readonly Member[] {
  const moved = members[from];
  if (moved === undefined || to < 0 || to >= members.length) return members;
  return members.toSpliced(from, 1).toSpliced(to, 0, moved);
}

export function freeName(members: readonly Member[]): string {
  const taken = new Set(members.map(({ name }) => name));
  let number = members.length + 1;
  while (taken.has(`member_${number}`)) number++;
  return `member_${number}`;
}

export function withKeyword(schema: Schema, keyword: string, value: unknown): Schema {
  if (value !== undefined) return { ...schema, [keyword]: value };
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));
}

const formats = {
  string: ['date-time', 'date', 'uuid', 'email', 'uri', 'ipv4', 'ipv6'],
  integer: ['int32', 'int64', 'uint64'],
} as const;

/** What the form calls a kind: a type with its format, a map, or `other`, which is edited as JSON. */
export const memberKinds: readonly string[] = [
  'string',
  ...formats.string.map((format) => `string · ${format}`),
  'integer',
  ...formats.integer.map((format) => `integer · ${format}`),
  'number',
  'boolean',
  'object',
  'array',
  'map',
];

export function kindOf(schema: unknown): string {
  if (!isSchema(schema) || '$ref' in schema) return 'other';
  const type = typeOf(schema);
  if (type === 'object' && isSchema(schema['additionalProperties'])) return 'map';
  const { format } = schema;
  const kind = typeof format === 'string' ? `${type} · ${format}` : type;
  return memberKinds.includes(kind) ? kind : 'other';
}

function typeOf({ type }: Schema): string {
  const names = Array.isArray(type) ? type.filter((name) => name !== 'null') : [type];
  return names.length === 1 ? String(names[0]) : 'other';
}

export function allowsNull({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes('null');
}

export function withNull(schema: Schema, isNullable: boolean): Schema {
  const type = typeOf(schema);
  return { ...schema, type: isNullable ? [type, 'null'] : type };
}

const annotations = ['title', 'description', 'deprecated', 'x-personal'];
const startOf: Readonly<Record<string, Schema>> = {
  object: { properties: { member_1: { type: 'string' } } },
  array: { items: { type: 'string' } },
  map: { additionalProperties: { type: 'integer' } },
};

/** The schema with another kind. What does not depend on the kind stays. */
export function withKind(schema: unknown, kind: string): Schema {
  const before = isSchema(schema) ? schema : {};
  const [name = '', format] = kind.split(' · ');
  const type = name === 'map' ? 'object' : name;
  const kept = Object.entries(before).filter(
    ([keyword]) => annotations.includes(keyword) || (typeOf(before) === type && isRange(keyword)),
  );
  return {
    type: allowsNull(before) ? [type, 'null'] : type,
    ...(format !== undefined && { format }),
    ...startOf[name],
    ...Object.fromEntries(kept),
  };
}

/** Keywords that every format of one type has. */
function isRange(keyword: string): boolean {
  return ['minimum', 'maximum', 'minLength', 'maxLength', 'enum'].includes(keyword);
}

/** The limits of a kind that are a number each. */
export function limitsOf(kind: string): readonly string[] {
  switch (kind.split(' · ')[0]) {
    case 'string':
      return ['minLength', 'maxLength'];
    case 'integer':
    case 'number':
      return ['minimum', 'maximum', 'multipleOf'];
    case 'array':
      return ['minItems', 'maxItems'];
    default:
      return [];
  }
}

/** The permitted values as lines. Null is not among them: whether it is permitted is a keyword of its own. */
export function linesOfValues({ enum: values }: Schema): string {
  if (!Array.isArray(values)) return '';
  return values
    .filter((value) => value !== null)
    .map(String)
    .join('\n');
}

/** The permitted values of lines, or null if a line is no value of the kind. No line permits every value. */
export function valuesOfLines(lines: string, schema: Schema): readonly unknown[] | undefined | null {
  const isText = typeOf(schema) === 'string';
  const values: unknown[] = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => (isText ? line : exactNumber(line)));
  if (values.includes(null)) return null;
  if (values.length === 0) return undefined;
  return allowsNull(schema) ? [...values, null] : values;
}

/** The number of a text, or null if it is none, or one that would become another. */
export function exactNumber(text: string): number | null {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return null;
  return isExact(text.trim()) ? value : null;
}

/** Whether an integer is kept digit for digit. Fractions are rounded everywhere alike. */
export function isExact(text: string): boolean {
  return !/^-?\d+$/.test(text) || BigInt(text) === BigInt(Number(text));
}
