import { isSchema, readMembers, type Schema } from './edit-members.ts';

export interface DeclaredMember {
  /** Dotted, as analyses take it. */
  readonly path: string;
  readonly kind: string;
  readonly isRequired: boolean;
  readonly isPersonal: boolean;
  readonly description: string;
}

/** The members that a declaration names, with those of its objects, in its order. */
export function membersOf(declaration: Schema, prefix = ''): DeclaredMember[] {
  return readMembers(declaration).flatMap(({ name, schema, isRequired }) => {
    if (!isSchema(schema)) return [];
    const path = prefix + name;
    const member = {
      path,
      kind: kindOf(schema),
      isRequired,
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
