import type { Member, ScalarShape, Shape } from '../declaration/shape.ts';
import { godotClassNames } from './godot-class-names.ts';
import { commentLines, memberTexts, quoted } from './member-comment.ts';
import { typeName, untaken } from './type-name.ts';
import type { CodedType } from './typescript-code.ts';

/** Words of GDScript, and members of RefCounted and of generated classes, that no function or parameter can be called. */
const reserved = `
  and as assert await break breakpoint class class_name const continue elif else enum extends false for func if
  in is match namespace new not null or pass preload return self signal static super trait true var void when
  while yield PI TAU INF NAN event_type event_type_version to_event _data _get _get_property_list _init
  _iter_get _iter_init _iter_next _notification _property_can_revert _property_get_revert _set _to_string
  _validate_property add_user_signal call call_deferred callv can_translate_messages cancel_free connect
  disconnect emit_signal free get get_class get_incoming_connections get_indexed get_instance_id get_meta
  get_meta_list get_method_argument_count get_method_list get_property_list get_reference_count get_script
  get_signal_connection_list get_signal_list get_translation_domain has_connections has_meta has_method
  has_signal has_user_signal init_ref is_blocking_signals is_class is_connected is_queued_for_deletion
  notification notify_property_list_changed property_can_revert property_get_revert property_list_changed
  reference remove_meta remove_user_signal script script_changed set set_block_signals set_deferred set_indexed
  set_message_translation set_meta set_script set_translation_domain to_string tr tr_n unreference
`;

/**
 * A class with a typed constructor for the required members and a function for each optional one:
 * `LevelUp.new(7).character("ranger")`. Nested objects, lists and maps are plain values.
 */
export function gdscriptCode({ name, version, shape }: CodedType): string {
  const className = gdscriptClassName(name);
  const taken = new Set(reserved.trim().split(/\s+/));
  const members = shape.members.map((member) => ({ member, called: untaken(member.name, taken) }));
  const required = members.filter(({ member }) => member.required);
  const optional = members.filter(({ member }) => !member.required);
  const parameters = required.map(({ member, called }) => `${called}_: ${parameterType(member.shape)}`);
  const assigned = required.map(({ member, called }) => `\t_data[${quoted(member.name)}] = ${called}_`);
  return [
    ...comment([`Event type ${name}, version ${version}.`, shape.annotations.description]),
    `class_name ${className}`,
    'extends RefCounted',
    '',
    `const event_type := ${quoted(name)}`,
    `const event_type_version := ${version}`,
    '',
    'var _data := {}',
    '',
    ...required.flatMap(({ member, called }) => comment([memberText(member, called, `${called}_: `)])),
    `func _init(${parameters.join(', ')}) -> void:`,
    ...(assigned.length === 0 ? ['\tpass'] : assigned),
    '',
    ...optional.flatMap(({ member, called }) => [
      ...comment([memberText(member, called, '')]),
      `func ${called}(value: ${parameterType(member.shape)}) -> ${className}:`,
      `\t_data[${quoted(member.name)}] = value`,
      '\treturn self',
      '',
    ]),
    'func to_event() -> Dictionary:',
    '\treturn _data',
    '',
  ].join('\n');
}

/** `LevelUp`, or `Timer2` where Godot has a class of that name. */
function gdscriptClassName(name: string): string {
  return untaken(typeName(name), new Set(godotClassNames));
}

/** `start` begins the text. */
function memberText(member: Member, called: string, start: string): string | null {
  const text = memberTexts(member, { usual: member.name, called }).filter((part) => part !== null);
  return text.length === 0 ? null : `${start}${text.join(' ')}`;
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
  return commentLines(lines).map((text) => `## ${text}`);
}
