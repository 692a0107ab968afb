import type { ArrayShape, MapShape, Member, ObjectShape, Shape } from '../declaration/shape.ts';
import { scalarNames } from './csharp-code.ts';
import { memberTexts, quoted, xmlSummary } from './member-comment.ts';
import { indented, scalarName, typeName, untaken } from './type-name.ts';
import type { CodedType } from './typescript-code.ts';

const ofEveryStruct =
  'Equals Finalize GetHashCode GetType MemberwiseClone ReferenceEquals ToString EventType EventTypeVersion Write'.split(
    ' ',
  );
const usedTypes = ['IEvent', 'JsonWriter', 'KeyValuePair', 'List', 'Tickrate'];

/**
 * A struct that writes itself, for C# 7.3 and IL2CPP: no reflection, no attributes, and no garbage except lists. An optional text,
 * list or object is left out if it is null.
 */
export function unityCode({ name, version, shape }: CodedType): string {
  const structName = untaken(typeName(name), new Set(usedTypes));
  const constants = [
    `public string EventType { get { return ${quoted(name)}; } }`,
    `public int EventTypeVersion { get { return ${version}; } }`,
    '',
  ];
  return [
    'using System.Collections.Generic;',
    'using Tickrate;',
    '',
    ...xmlSummary([`Event type ${name}, version ${version}.`, shape.annotations.description]),
    ...structLines(structName, shape, constants),
    '',
  ].join('\n');
}

function structLines(structName: string, shape: ObjectShape, constants: readonly string[] = []): string[] {
  const taken = new Set([structName, ...ofEveryStruct, ...usedTypes]);
  const written = shape.members.map((member) => writeMember(member, taken));
  return [
    `public struct ${structName} : ${constants.length > 0 ? 'IEvent' : 'IWritable'}`,
    '{',
    ...indented([...constants, ...written.flatMap(({ declaration }) => declaration)], '    '),
    '    public void Write(JsonWriter json)',
    '    {',
    '        json.BeginObject();',
    ...written.flatMap(({ write }) => indented(write, '        ')),
    '        json.EndObject();',
    '    }',
    '}',
  ];
}

function writeMember(member: Member, taken: Set<string>) {
  const { name, required, shape } = member;
  const field = untaken(typeName(name), taken);
  const { type, isReference, structs, write } = typeOf(shape, { field, taken });
  const isOptional = !required || shape.nullable;
  const nullable = isOptional && !isReference;
  const writing = write(nullable ? `${field}.Value` : field, 0);
  const key = `json.Name(${quoted(name)});`;
  const isSet = nullable ? `${field}.HasValue` : `${field} != null`;
  return {
    declaration: [
      ...structs,
      ...xmlSummary(memberTexts(member, { usual: typeName(name), called: field })),
      `public ${type}${nullable ? '?' : ''} ${field};`,
      '',
    ],
    write: isOptional
      ? [
          `if (${isSet}) { ${[key, ...writing].join(' ')} }`,
          ...(required ? [`else { ${key} json.Null(); }`] : []),
        ]
      : [key, ...writing],
  };
}

interface Place {
  readonly field: string;
  readonly taken: Set<string>;
}

interface WrittenType {
  readonly type: string;
  readonly isReference: boolean;
  readonly structs: readonly string[];
  /** The statements that write the value of an expression, within so many loops. */
  readonly write: (value: string, depth: number) => readonly string[];
}

function typeOf(shape: Shape, place: Place): WrittenType {
  switch (shape.kind) {
    case 'object': {
      const structName = untaken(`${place.field}Data`, place.taken);
      return {
        type: structName,
        isReference: false,
        structs: [...structLines(structName, shape), ''],
        write: (value) => [`${value}.Write(json);`],
      };
    }
    case 'array':
    case 'map':
      return listOf(shape, place);
    default: {
      const type = scalarName(shape, scalarNames);
      return {
        type,
        isReference: type === 'string',
        structs: [],
        write: (value) => [`json.Value(${value});`],
      };
    }
  }
}

function listOf(shape: ArrayShape | MapShape, place: Place): WrittenType {
  const isMap = shape.kind === 'map';
  const { type, structs, write } = elementOf(isMap ? shape.values : shape.items, place);
  const [open, close] = isMap ? ['BeginObject', 'EndObject'] : ['BeginArray', 'EndArray'];
  return {
    type: isMap ? `List<KeyValuePair<string, ${type}>>` : `List<${type}>`,
    isReference: true,
    structs,
    write(value, depth) {
      const item = `item${depth === 0 ? '' : depth}`;
      const named = isMap ? `json.Name(${item}.Key); ` : '';
      const one = write(isMap ? `${item}.Value` : item, depth + 1).join(' ');
      return [
        `json.${open}();`,
        `if (${value} != null) foreach (var ${item} in ${value}) { ${named}${one} }`,
        `json.${close}();`,
      ];
    },
  };
}

function elementOf(shape: Shape, place: Place): WrittenType {
  const written = typeOf(shape, place);
  if (!shape.nullable) return written;
  const { type, isReference, write } = written;
  return {
    ...written,
    type: isReference ? type : `${type}?`,
    write(value, depth) {
      const isNull = isReference ? `${value} == null` : `!${value}.HasValue`;
      const writing = write(isReference ? value : `${value}.Value`, depth);
      return [`if (${isNull}) json.Null(); else { ${writing.join(' ')} }`];
    },
  };
}
