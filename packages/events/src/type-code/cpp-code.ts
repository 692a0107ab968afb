import type { Member, ObjectShape, Shape } from '../declaration/shape.ts';
import { commentLines, memberTexts, quoted } from './member-comment.ts';
import { indented, scalarName, typeName, untaken } from './type-name.ts';
import type { CodedType } from './typescript-code.ts';

/** Words of C++20 that no member can be called. */
const reserved =
  'alignas alignof and asm auto bitand bitor bool break case catch char class compl concept const constexpr continue decltype default delete do double else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not nullptr operator or private protected public register requires return short signed sizeof static struct switch template this throw true try typedef typeid typename union unsigned using virtual void volatile while xor';
const ofEveryStruct = ['event_type', 'event_type_version', 'write'];

/** A struct that writes itself, for the C++ SDK. It allocates nothing: texts and lists are views of the caller's. */
export function cppCode({ name, version, shape }: CodedType): string {
  const structName = untaken(typeName(name), new Set(['Writer']));
  const constants = [
    `  static constexpr std::string_view event_type = ${quoted(name)};`,
    `  static constexpr std::uint32_t event_type_version = ${version};`,
    '',
  ];
  return [
    '#pragma once',
    '#include <cstdint>',
    '#include <optional>',
    '#include <string_view>',
    '#include <utility>',
    '#include <vector>',
    '#include "tickrate.hpp"',
    '',
    'namespace events {',
    '',
    ...comment([`Event type ${name}, version ${version}.`, shape.annotations.description]),
    ...structLines(structName, shape, constants),
    '',
    '}  // namespace events',
    '',
  ].join('\n');
}

function structLines(structName: string, shape: ObjectShape, constants: readonly string[] = []): string[] {
  const taken = new Set([structName, ...ofEveryStruct, ...reserved.split(' ')]);
  const written = shape.members.map((member) => writeMember(member, taken));
  return [
    `struct ${structName} {`,
    ...constants,
    ...written.flatMap(({ declaration }) => indented(declaration, '  ')),
    ...(written.length > 0 ? [''] : []),
    '  void write(tickrate::Writer& json) const {',
    '    json.begin_object();',
    ...written.map(({ write }) => `    ${write}`),
    '    json.end_object();',
    '  }',
    '};',
  ];
}

function writeMember(member: Member, taken: Set<string>) {
  const { name, required, shape } = member;
  const field = untaken(name, taken);
  const { type, structs } = typeOf(shape, { name, taken });
  const isOptional = !required || shape.nullable;
  const about = comment(memberTexts(member, { usual: name, called: field }));
  const call = required ? 'member' : 'optional_member';
  return {
    declaration: [
      ...structs,
      ...about,
      `${isOptional ? `std::optional<${type}>` : type} ${field}${isOptional ? '' : '{}'};`,
    ],
    write: `json.${call}(${quoted(name)}, ${field});`,
  };
}

function typeOf(
  shape: Shape,
  place: { readonly name: string; readonly taken: Set<string> },
): { readonly type: string; readonly structs: readonly string[] } {
  switch (shape.kind) {
    case 'object': {
      const structName = untaken(`${typeName(place.name)}Data`, place.taken);
      return { type: structName, structs: [...structLines(structName, shape), ''] };
    }
    case 'array':
    case 'map': {
      const inner = shape.kind === 'array' ? shape.items : shape.values;
      const { type, structs } = typeOf(inner, place);
      const element = inner.nullable ? `std::optional<${type}>` : type;
      const isMap = shape.kind === 'map';
      return {
        type: `std::vector<${isMap ? `std::pair<std::string_view, ${element}>` : element}>`,
        structs,
      };
    }
    default:
      return { type: scalarName(shape, scalarNames), structs: [] };
  }
}

const scalarNames = {
  boolean: 'bool',
  number: 'double',
  string: 'std::string_view',
  int32: 'std::int32_t',
  int64: 'std::int64_t',
  uint64: 'std::uint64_t',
};

function comment(lines: readonly (string | null)[]): string[] {
  // A backslash at the end of a line, or a trigraph of one, would continue the comment over the code below it.
  return commentLines(lines).map((text) => `/// ${text.replace(/(?:[\\\s]|\?\?\/)+$/, '')}`);
}
