import type { ArrayShape, MapShape, Member, ObjectShape, ScalarShape, Shape } from '../declaration/shape.ts';
import { memberTexts, quoted, xmlSummary } from './member-comment.ts';
import { typeName, untaken } from './type-name.ts';
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
    ...structLines(structName, shape, { base: 'IEvent', constants }),
    '',
  ].join('\n');
}

interface StructKind {
  readonly base: string;
  readonly constants: readonly string[];
}

function structLines(structName: string, shape: ObjectShape, { base, constants }: StructKind): string[] {
  const taken = new Set([structName, ...ofEveryStruct, ...usedTypes]);
  const written = shape.members.map((member) => writeMember(member, taken));
  return [
    `public struct ${structName} : ${base}`,
    '{',
    ...[...constants, ...written.flatMap(({ declaration }) => declaration)].map(indented),
    '    public void Write(JsonWriter json)',
    '    {',
    '        json.BeginObject();',
    ...written.flatMap(({ write }) => write.map((line) => `        ${line}`)),
    '        json.EndObject();',
    '    }',
    '}',
  ];
}

function writeMember(member: Member, taken: Set<string>) {
  const { name, required, shape } = member;
  const field = untaken(typeName(name), taken);
  const { type, isReference, structs, write } = typeOf(shape, { field, value: field, depth: 0, taken });
  const isOptional = !required || shape.nullable;
  const nullable = isOptional && !isReference;
  const writing = typeOf(shape, {
    field,
    value: nullable ? `${field}.Value` : field,
    depth: 0,
    taken: new Set(),
  }).write;
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
      : [key, ...write],
  };
}

interface Place {
  readonly field: string;
  /** The expression that holds the value. */
  readonly value: string;
  readonly depth: number;
  readonly taken: Set<string>;
}

interface WrittenType {
  readonly type: string;
  readonly isReference: boolean;
  readonly structs: readonly string[];
  readonly write: readonly string[];
}

function typeOf(shape: Shape, place: Place): WrittenType {
  const { value, field, taken } = place;
  switch (shape.kind) {
    case 'object': {
      const structName = untaken(`${field}Data`, taken);
      const structs = [...structLines(structName, shape, { base: 'IWritable', constants: [] }), ''];
      return { type: structName, isReference: false, structs, write: [`${value}.Write(json);`] };
    }
    case 'array':
    case 'map':
      return listOf(shape, place);
    default: {
      const type = scalarType(shape);
      return { type, isReference: type === 'string', structs: [], write: [`json.Value(${value});`] };
    }
  }
}

function listOf(shape: ArrayShape | MapShape, place: Place): WrittenType {
  const { value, depth } = place;
  const isMap = shape.kind === 'map';
  const inner = isMap ? shape.values : shape.items;
  const item = `item${depth === 0 ? '' : depth}`;
  const element = isMap ? `${item}.Value` : item;
  const { type, structs, writeOne } = elementOf(inner, { ...place, value: element, depth: depth + 1 });
  const [open, close] = isMap ? ['BeginObject', 'EndObject'] : ['BeginArray', 'EndArray'];
  const named = isMap ? `json.Name(${item}.Key); ` : '';
  return {
    type: isMap ? `List<KeyValuePair<string, ${type}>>` : `List<${type}>`,
    isReference: true,
    structs,
    write: [
      `json.${open}();`,
      `if (${value} != null) foreach (var ${item} in ${value}) { ${named}${writeOne} }`,
      `json.${close}();`,
    ],
  };
}

function elementOf(shape: Shape, place: Place) {
  const { type, isReference, structs, write } = typeOf(shape, place);
  if (!shape.nullable) return { type, structs, writeOne: write.join(' ') };
  const { value } = place;
  if (isReference)
    return { type, structs, writeOne: `if (${value} == null) json.Null(); else { ${write.join(' ')} }` };
  const set = typeOf(shape, { ...place, value: `${value}.Value`, taken: new Set() }).write.join(' ');
  const writeOne = `if (!${value}.HasValue) json.Null(); else { ${set} }`;
  return { type: `${type}?`, structs, writeOne };
}

function scalarType(shape: ScalarShape): string {
  if (shape.kind === 'boolean') return 'bool';
  if (shape.kind === 'number') return 'double';
  if (shape.kind === 'string') return 'string';
  return { int32: 'int', int64: 'long', uint64: 'ulong' }[shape.format ?? 'int64'];
}

function indented(line: string): string {
  return line === '' ? '' : `    ${line}`;
}
