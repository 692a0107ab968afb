import { listedText, shownDescription } from '../declaration/listed-text.ts';
import type { Member, ScalarShape, Shape } from '../declaration/shape.ts';
import { typeName, untaken } from './type-name.ts';
import type { CodedType } from './typescript-code.ts';

/** Words of GDScript, and members of RefCounted, that no function or parameter can be called. */
const reserved =
  'and as assert await break breakpoint class class_name const continue elif else enum extends for func if in is match not null or pass preload return self signal static super true false tool trait var void when while yield PI TAU INF NAN get set call connect emit_signal free notification to_string event_type event_type_version to_event _data';

/**
 * A class with a typed constructor for the required members and a function for each optional one:
 * `LevelUp.new(7).character("ranger")`. Nested objects, lists and maps are plain values.
 */
export function gdscriptCode({ name, version, shape }: CodedType): string {
  const taken = new Set(reserved.split(' '));
  const members = shape.members.map((member) => ({ member, called: untaken(member.name, taken) }));
  const required = members.filter(({ member }) => member.required);
  const optional = members.filter(({ member }) => !member.required);
  const parameters = required.map(({ member, called }) => `${called}_: ${parameterType(member.shape)}`);
  const assigned = required.map(({ member, called }) => `\t_data[${quoted(member.name)}] = ${called}_`);
  return [
    ...comment([`Event type ${name}, version ${version}.`, shape.annotations.description]),
    `class_name ${typeName(name)}`,
    'extends RefCounted',
    '',
    `const event_type := ${quoted(name)}`,
    `const event_type_version := ${version}`,
    '',
    'var _data := {}',
    '',
    ...required.flatMap(({ member, called }) => comment([memberText(member, `${called}_`)])),
    `func _init(${parameters.join(', ')}) -> void:`,
    ...(assigned.length === 0 ? ['\tpass'] : assigned),
    '',
    ...optional.flatMap(({ member, called }) => [
      ...comment([memberText(member, null)]),
      `func ${called}(value: ${parameterType(member.shape)}) -> ${typeName(name)}:`,
      `\t_data[${quoted(member.name)}] = value`,
      '\treturn self',
      '',
    ]),
    'func to_event() -> Dictionary:',
    '\treturn _data',
    '',
  ].join('\n');
}

function memberText({ shape }: Member, name: string | null): string | null {
  const { annotations } = shape;
  const allowed =
    'allowed' in shape && shape.allowed !== null ? `One of: ${listedText(shape.allowed)}` : null;
  const text = [annotations.description ?? annotations.title, allowed].filter((part) => part !== null);
  if (text.length === 0) return null;
  return `${name === null ? '' : `${name}: `}${text.join(' ')}`;
}

function parameterType(shape: Shape): string {
  if (shape.nullable) return 'Variant';
  switch (shape.kind) {
    case 'object':
    case 'map':
      return 'Dictionary';
    case 'array':
      return 'Array';
    default:
      return scalarType(shape);
  }
}

/** An `int` of GDScript is signed. Larger values of a uint64 are sent as decimal text. */
function scalarType(shape: ScalarShape): string {
  if (shape.kind === 'integer' && shape.format === 'uint64') return 'Variant';
  return { boolean: 'bool', integer: 'int', number: 'float', string: 'String' }[shape.kind];
}

function comment(lines: readonly (string | null)[]): string[] {
  return lines.flatMap((line) =>
    line === null
      ? []
      : shownDescription(line)
          .split(/\r?\n/)
          .map((text) => `## ${text}`),
  );
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
