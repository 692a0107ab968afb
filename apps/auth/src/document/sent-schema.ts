import type { TSchema } from 'typebox';

interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly anyOf?: readonly Shape[];
}

/**
 * Converts a schema to the schema of the request: optional members can also be null, and texts and flags can be empty texts. The reader
 * converts such a body to the given schema. Required members must have a value.
 */
export function sentSchema(schema: TSchema): TSchema {
  return sentShape(schema as Shape) as TSchema;
}

function sentShape(shape: Shape): Shape {
  if (shape.properties !== undefined) return sentObject(shape, shape.properties);
  return shape.items === undefined ? shape : { ...shape, items: orNothing(sentShape(shape.items)) };
}

function sentObject(shape: Shape, properties: Readonly<Record<string, Shape>>): Shape {
  const { required = [], anyOf } = shape;
  const sent = Object.entries(properties).map(([name, member]) => {
    const inner = sentShape(member);
    return [name, required.includes(name) ? inner : orNothing(inner)] as const;
  });
  return {
    ...shape,
    properties: Object.fromEntries(sent),
    ...(anyOf && { anyOf: anyOf.map((each) => sentAlternative(each, properties)) }),
  };
}

/** At least one of these members must have a value. */
function sentAlternative({ required = [] }: Shape, properties: Readonly<Record<string, Shape>>): Shape {
  const named = required.map((name) => [name, properties[name] ?? {}] as const);
  return { required, properties: Object.fromEntries(named) };
}

function orNothing(shape: Shape): Shape {
  const { type = 'string', minLength, pattern, ...rest } = shape;
  if (shape.enum !== undefined) return { ...shape, enum: [...shape.enum, '', null] };
  if (type === 'boolean') {
    return { ...rest, anyOf: [{ type: ['boolean', 'null'] }, { type: 'string', enum: [''] }] };
  }
  const nullable = [type, 'null'].flat();
  if (type !== 'string') return { ...shape, type: nullable };
  return { ...rest, type: nullable, ...(pattern && { pattern: `^$|${pattern}` }) };
}
