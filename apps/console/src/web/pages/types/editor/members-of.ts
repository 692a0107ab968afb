export interface DeclaredMember {
  /** Dotted, as analyses take it. */
  readonly path: string;
  readonly kind: string;
  readonly isRequired: boolean;
  readonly isPersonal: boolean;
  readonly description: string;
}

type Schema = Readonly<Record<string, unknown>>;

/** The members that a declaration names, with those of its objects, in its order. */
export function membersOf(declaration: Schema, prefix = ''): DeclaredMember[] {
  const { properties, required } = declaration;
  const needed = Array.isArray(required) ? required : [];
  if (!isSchema(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isSchema(schema)) return [];
    const path = prefix + name;
    const member = {
      path,
      kind: kindOf(schema),
      isRequired: needed.includes(name),
      isPersonal: schema['x-personal'] === true,
      description: typeof schema['description'] === 'string' ? schema['description'] : '',
    };
    return [member, ...membersOf(schema, `${path}.`)];
  });
}

function kindOf({ type, enum: values, format }: Schema): string {
  if (Array.isArray(values)) return 'enum';
  const name = Array.isArray(type) ? type.join(' | ') : String(type ?? 'any');
  return typeof format === 'string' ? `${name} · ${format}` : name;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
