import type { Member, ObjectShape, ScalarShape, Shape, StringFormat } from '../declaration/shape.ts';
import { memberTexts, quoted, xmlSummary } from './member-comment.ts';
import { indented, scalarName, typeName, untaken } from './type-name.ts';
import type { CodedType } from './typescript-code.ts';

/** Types that the code uses, and members of every class. A class or member with such a name would hide them. */
const usedTypes = ['DateTimeOffset', 'Guid', 'IReadOnlyDictionary', 'IReadOnlyList', 'Obsolete'];
const ofEveryClass = 'Equals Finalize GetHashCode GetType MemberwiseClone ReferenceEquals ToString'.split(
  ' ',
);

/** A class for the events of one version, for System.Text.Json and C# 8 or newer (Unity 2021 and newer). */
export function csharpCode({ name, version, shape }: CodedType): string {
  const about = [`Event type ${name}, version ${version}.`, shape.annotations.description];
  return [
    '#nullable enable',
    'using System;',
    'using System.Collections.Generic;',
    'using System.Text.Json.Serialization;',
    '',
    ...xmlSummary(about),
    ...classLines(untaken(typeName(name), new Set(usedTypes)), shape),
    '',
  ].join('\n');
}

function classLines(className: string, shape: ObjectShape): string[] {
  // A member or an inner class cannot have the name of its class.
  const taken = new Set([className, ...ofEveryClass]);
  const members = shape.members.flatMap((member) => memberLines(member, taken));
  return [`public sealed class ${className}`, '{', ...indented(members, '    '), '}'];
}

function memberLines(member: Member, taken: Set<string>): string[] {
  const { name, required, shape } = member;
  const property = untaken(typeName(name), taken);
  const written = writeType(shape, { property, taken });
  const isOptional = !required || shape.nullable;
  const isText = written.isReference && !isOptional;
  return [
    ...written.classes,
    ...xmlSummary(memberTexts(member, { usual: typeName(name), called: property })),
    ...(shape.annotations.deprecated ? ['[Obsolete]'] : []),
    `[JsonPropertyName(${quoted(name)})]`,
    ...(required ? [] : ['[JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]']),
    `public ${written.type}${isOptional ? '?' : ''} ${property} { get; set; }${isText ? ' = default!;' : ''}`,
    '',
  ];
}

interface WrittenType {
  readonly type: string;
  /** Its default is null, even if it must not be null. */
  readonly isReference: boolean;
  /** The classes of its members. */
  readonly classes: readonly string[];
}

interface Place {
  readonly property: string;
  readonly taken: Set<string>;
}

function writeType(shape: Shape, place: Place): WrittenType {
  switch (shape.kind) {
    case 'object': {
      const className = untaken(`${place.property}Data`, place.taken);
      return { type: className, isReference: true, classes: [...classLines(className, shape), ''] };
    }
    case 'map':
      return writeCollection(shape.values, place, (type) => `IReadOnlyDictionary<string, ${type}>`);
    case 'array':
      return writeCollection(shape.items, place, (type) => `IReadOnlyList<${type}>`);
    default: {
      const type = scalarType(shape);
      return { type, isReference: type === 'string', classes: [] };
    }
  }
}

function writeCollection(shape: Shape, place: Place, wrap: (type: string) => string): WrittenType {
  const inner = writeType(shape, place);
  const type = wrap(shape.nullable ? `${inner.type}?` : inner.type);
  return { type, isReference: true, classes: inner.classes };
}

const textTypes: Readonly<Partial<Record<StringFormat, string>>> = {
  'date-time': 'DateTimeOffset',
  uuid: 'Guid',
};

export const scalarNames = {
  boolean: 'bool',
  number: 'double',
  string: 'string',
  int32: 'int',
  int64: 'long',
  uint64: 'ulong',
};

function scalarType(shape: ScalarShape): string {
  const text = shape.kind === 'string' && shape.format !== null ? textTypes[shape.format] : undefined;
  return text ?? scalarName(shape, scalarNames);
}
